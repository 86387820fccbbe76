// expect: holds
// outcomes: done
// The run that would wait for ever is assumed away, also while another thread lives.
import allways.Choose;

public class AssumeDropsDeadlock {
    static final Object LOCK = new Object();

    public static void main(String[] args) throws InterruptedException {
        boolean waits = Choose.bool();
        Thread a = new Thread(() -> {
            if (waits) {
                synchronized (LOCK) {
                    try {
                        LOCK.wait();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        });
        a.start();
        Choose.assume(!waits);
        a.join();
        System.out.println("done");
    }
}
