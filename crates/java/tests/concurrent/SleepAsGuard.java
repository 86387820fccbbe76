// expect: assertion
// A sleep in place of a join.
public class SleepAsGuard {
    static boolean done;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> done = true);
        a.start();
        Thread.sleep(100);
        assert done : "not done after the sleep";
        a.join();
    }
}
