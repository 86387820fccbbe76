// expect: deadlock
// A daemon thread waits for ever with a monitor that main needs.
public class DaemonHoldsLock {
    static final Object LOCK = new Object();
    static final Object OTHER = new Object();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (LOCK) {
                synchronized (OTHER) {
                    while (true) {
                        try {
                            OTHER.wait();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }
                }
            }
        });
        a.setDaemon(true);
        a.start();
        synchronized (LOCK) {
            LOCK.notifyAll();
        }
    }
}
