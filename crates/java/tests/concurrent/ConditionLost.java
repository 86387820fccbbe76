// expect: deadlock
// A signal that comes before the await is lost.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionLost {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition SIGNAL = LOCK.newCondition();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            LOCK.lock();
            try {
                SIGNAL.awaitUninterruptibly();
            } finally {
                LOCK.unlock();
            }
        });
        a.start();
        LOCK.lock();
        SIGNAL.signal();
        LOCK.unlock();
        a.join();
    }
}
