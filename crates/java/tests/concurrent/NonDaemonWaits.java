// expect: deadlock
// main ends, but a thread waits for ever.
public class NonDaemonWaits {
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        new Thread(() -> {
            synchronized (LOCK) {
                while (true) {
                    try {
                        LOCK.wait();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }).start();
    }
}
