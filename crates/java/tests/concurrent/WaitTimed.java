// expect: holds
// outcomes: false|true
// A wait with a time limit ends by itself at any time.
public class WaitTimed {
    static final Object LOCK = new Object();
    static boolean ready;
    static boolean seen;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (LOCK) {
                if (!ready) {
                    try {
                        LOCK.wait(10);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
                seen = ready;
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
