// expect: assertion
// ReentrantReadWriteLock used wrongly: the write lock is given up before the read lock is taken.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadWriteGap {
    static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    static int last;

    static void write(int me) {
        LOCK.writeLock().lock();
        last = me;
        LOCK.writeLock().unlock();
    }

    public static void main(String[] args) {
        new Thread(() -> write(1)).start();
        write(2);
        LOCK.readLock().lock();
        assert last == 2;
        LOCK.readLock().unlock();
    }
}
