// expect: holds
// outcomes: interrupted|notified
// A notification and an interrupt race for a waiting thread. One that is interrupted before it waits gets the exception.
public class InterruptNotify {
    static final Object LOCK = new Object();
    static boolean ready;
    static String result = "none";

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (LOCK) {
                try {
                    while (!ready) {
                        LOCK.wait();
                    }
                    result = "notified";
                } catch (InterruptedException e) {
                    result = "interrupted";
                }
            }
        });
        a.start();
        Thread b = new Thread(() -> {
            synchronized (LOCK) {
                ready = true;
                LOCK.notify();
            }
        });
        b.start();
        a.interrupt();
        a.join();
        b.join();
        System.out.println(result);
    }
}
