// expect: assertion
// A body that had to wait goes on when it comes to its turn: others may run before, and see it half done.
import allways.Choose;

public class AtomicallySuspended {
    static final Object LOCK = new Object();
    static volatile int x;

    public static void main(String[] args) {
        Thread a = new Thread(() -> Choose.atomically(() -> {
            x = 1;
            synchronized (LOCK) {
                x = 2;
            }
        }));
        synchronized (LOCK) {
            a.start();
        }
        assert x != 1;
    }
}
