// expect: holds
// outcomes: ready
// A thread waits in a loop for a flag.
public class WaitNotify {
    static final Object LOCK = new Object();
    static boolean ready;
    static String seen;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (LOCK) {
                while (!ready) {
                    try {
                        LOCK.wait();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
                seen = "ready";
            }
        });
        a.start();
        synchronized (LOCK) {
            ready = true;
            LOCK.notify();
        }
        a.join();
        System.out.println(seen);
    }
}
