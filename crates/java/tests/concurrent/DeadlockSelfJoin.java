// expect: deadlock
// A thread that waits for its own end.
public class DeadlockSelfJoin {
    public static void main(String[] args) throws Exception {
        Thread.currentThread().join();
    }
}
