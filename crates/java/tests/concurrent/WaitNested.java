// expect: deadlock
// wait gives up the inner monitor only, the outer one stays taken.
public class WaitNested {
    static final Object OUTER = new Object();
    static final Object INNER = new Object();
    static boolean ready;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (OUTER) {
                synchronized (INNER) {
                    try {
                        while (!ready) {
                            INNER.wait();
                        }
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        });
        a.start();
        synchronized (OUTER) {
            synchronized (INNER) {
                ready = true;
                INNER.notifyAll();
            }
        }
        a.join();
    }
}
