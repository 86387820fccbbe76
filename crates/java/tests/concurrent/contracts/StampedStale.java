// expect: assertion
// StampedLock used wrongly: a stamp is validated before the second read, not after it.
import java.util.concurrent.locks.StampedLock;

public class StampedStale {
    static final StampedLock LOCK = new StampedLock();
    static int x;
    static int y;

    public static void main(String[] args) {
        new Thread(() -> {
            long stamp = LOCK.writeLock();
            x = 1;
            y = 1;
            LOCK.unlockWrite(stamp);
        }).start();
        long stamp = LOCK.tryOptimisticRead();
        int first = x;
        if (LOCK.validate(stamp)) {
            assert first == y;
        }
    }
}
