// expect: assertion
// ReentrantLock used wrongly: one thread tries to lock and goes on even if it was told no.
import java.util.concurrent.locks.ReentrantLock;

public class LockUnheeded {
    static final ReentrantLock LOCK = new ReentrantLock();
    static volatile boolean inside;

    static void enter() {
        assert !inside;
        inside = true;
        inside = false;
        if (LOCK.isHeldByCurrentThread()) {
            LOCK.unlock();
        }
    }

    public static void main(String[] args) {
        new Thread(() -> {
            LOCK.lock();
            enter();
        }).start();
        LOCK.tryLock();
        enter();
    }
}
