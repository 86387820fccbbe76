// expect: holds
// outcomes: 00|11
// An optimistic read that is validated, with a read lock if it fails.
import java.util.concurrent.locks.StampedLock;

public class StampedOptimistic {
    static final StampedLock LOCK = new StampedLock();
    static int x;
    static int y;
    static String seen;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            long stamp = LOCK.writeLock();
            x = 1;
            y = 1;
            LOCK.unlockWrite(stamp);
        });
        Thread b = new Thread(() -> {
            long stamp = LOCK.tryOptimisticRead();
            int readX = x;
            int readY = y;
            if (!LOCK.validate(stamp)) {
                stamp = LOCK.readLock();
                readX = x;
                readY = y;
                LOCK.unlockRead(stamp);
            }
            seen = "" + readX + readY;
        });
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(seen);
    }
}
