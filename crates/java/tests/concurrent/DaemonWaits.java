// expect: holds
// outcomes: done
// A daemon thread that waits for ever does not keep the program from ending.
public class DaemonWaits {
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (LOCK) {
                while (true) {
                    try {
                        LOCK.wait();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        });
        a.setDaemon(true);
        a.start();
        System.out.println("done");
    }
}
