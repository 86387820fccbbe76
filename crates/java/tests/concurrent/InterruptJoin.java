// expect: holds
// outcomes: interrupted
// A thread is interrupted while it joins one that cannot end before.
public class InterruptJoin {
    static final Object LOCK = new Object();
    static boolean go;
    static String result = "none";

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (LOCK) {
                try {
                    while (!go) {
                        LOCK.wait();
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        a.start();
        Thread b = new Thread(() -> {
            try {
                a.join();
                result = "joined";
            } catch (InterruptedException e) {
                result = "interrupted";
            }
            synchronized (LOCK) {
                go = true;
                LOCK.notifyAll();
            }
        });
        b.start();
        b.interrupt();
        a.join();
        b.join();
        System.out.println(result);
    }
}
