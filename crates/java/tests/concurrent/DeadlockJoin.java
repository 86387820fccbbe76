// expect: deadlock
// A thread is joined by one that holds the monitor it needs.
public class DeadlockJoin {
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (LOCK) {
                LOCK.notifyAll();
            }
        });
        a.start();
        synchronized (LOCK) {
            a.join();
        }
    }
}
