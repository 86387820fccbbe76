// expect: deadlock
// A notification that comes before the wait is lost.
public class WaitLost {
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (LOCK) {
                try {
                    LOCK.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        a.start();
        synchronized (LOCK) {
            LOCK.notify();
        }
        a.join();
    }
}
