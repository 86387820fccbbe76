// expect: holds
// outcomes: 02|12
// StampedLock: what validates was read while nobody wrote; a read lock becomes a write lock if no other thread reads, and loses no write.
import java.util.concurrent.locks.StampedLock;

public class StampedContract {
    static final StampedLock LOCK = new StampedLock();
    static int x;
    static int y;

    static void write() {
        long stamp = LOCK.writeLock();
        x++;
        y++;
        LOCK.unlockWrite(stamp);
    }

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> write());
        writer.start();
        long stamp = LOCK.tryOptimisticRead();
        int first = x;
        int second = y;
        if (!LOCK.validate(stamp)) {
            stamp = LOCK.readLock();
            first = x;
            second = y;
        }
        assert first == second;
        long writing = LOCK.tryConvertToWriteLock(stamp);
        if (writing == 0) {
            write();
        } else {
            assert x == first;
            x++;
            y++;
            LOCK.unlockWrite(writing);
        }
        writer.join();
        assert x == y;
        System.out.println("" + first + x);
    }
}
