// expect: assertion
// A body that has to wait for a monitor is half done meanwhile, and who holds the monitor sees it so.
import allways.Choose;

public class AtomicallyWaits {
    static final Object LOCK = new Object();
    static int x;

    public static void main(String[] args) {
        new Thread(() -> Choose.atomically(() -> {
            x = 1;
            synchronized (LOCK) {
                x = 2;
            }
        })).start();
        synchronized (LOCK) {
            assert x != 1;
        }
    }
}
