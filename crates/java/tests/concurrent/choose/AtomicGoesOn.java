// expect: holds
// outcomes: -1 -1|0 0|0 1|1 1
// An atomic section has to wait, and goes on between two reads of another thread.
import allways.Choose;

public class AtomicGoesOn {
    static final Object LOCK = new Object();
    static int inside, x, first = -1, second = -1;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> Choose.atomically(() -> {
            inside = 1;
            synchronized (LOCK) {
                x = 1;
            }
        }));
        Thread b = new Thread(() -> {
            if (inside == 1) {
                first = x;
                second = x;
            }
        });
        synchronized (LOCK) {
            a.start();
            b.start();
            while (inside == 0) {
                Thread.yield();
            }
        }
        a.join();
        b.join();
        System.out.print(first + " " + second);
    }
}
