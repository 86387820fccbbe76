// expect: holds
// outcomes: 0|1
// ReentrantReadWriteLock: a reader sees all of a write or nothing of it, though it may take the lock twice; a writer is alone.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadWriteContract {
    static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    static int x;
    static int y;

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> {
            LOCK.writeLock().lock();
            assert LOCK.getReadLockCount() == 0;
            x = 1;
            y = 1;
            LOCK.writeLock().unlock();
        });
        writer.start();
        LOCK.readLock().lock();
        int first = x;
        LOCK.readLock().lock();
        assert first == y;
        LOCK.readLock().unlock();
        assert first == x && !LOCK.isWriteLocked();
        LOCK.readLock().unlock();
        writer.join();
        System.out.println(first);
    }
}
