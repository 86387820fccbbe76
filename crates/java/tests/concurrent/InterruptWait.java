// expect: holds
// outcomes: interrupted false
// A waiting thread is interrupted; the flag is clear afterwards.
public class InterruptWait {
    static final Object LOCK = new Object();
    static String result = "none";

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (LOCK) {
                try {
                    while (true) {
                        LOCK.wait();
                    }
                } catch (InterruptedException e) {
                    result = "interrupted " + Thread.currentThread().isInterrupted();
                }
            }
        });
        a.start();
        a.interrupt();
        a.join();
        System.out.println(result);
    }
}
