// expect: assertion
// An optimistic read that is not validated.
import java.util.concurrent.locks.StampedLock;

public class StampedUnvalidated {
    static final StampedLock LOCK = new StampedLock();
    static int x;
    static int y;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            long stamp = LOCK.writeLock();
            x = 1;
            y = 1;
            LOCK.unlockWrite(stamp);
        });
        Thread b = new Thread(() -> {
            LOCK.tryOptimisticRead();
            int readX = x;
            int readY = y;
            assert readX == readY : "torn read";
        });
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
