// expect: holds
// outcomes: ok
// wait gives up a monitor that was entered twice, and takes it twice again.
public class WaitReentrant {
    static final Object LOCK = new Object();
    static boolean ready;
    static boolean held;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (LOCK) {
                synchronized (LOCK) {
                    try {
                        while (!ready) {
                            LOCK.wait();
                        }
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
                held = Thread.holdsLock(LOCK);
            }
        });
        a.start();
        synchronized (LOCK) {
            ready = true;
            LOCK.notifyAll();
        }
        a.join();
        System.out.println(held ? "ok" : "not held");
    }
}
