// expect: deadlock
// A lock that is not released when an exception is thrown.
import java.util.concurrent.locks.ReentrantLock;

public class LockForgotten {
    static final ReentrantLock LOCK = new ReentrantLock();

    static void fail() {
        LOCK.lock();
        Integer.parseInt("x");
        LOCK.unlock();
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            try {
                fail();
            } catch (NumberFormatException e) {
                assert LOCK.isLocked();
            }
        });
        a.start();
        LOCK.lock();
        LOCK.unlock();
        a.join();
    }
}
