// expect: holds
// outcomes: 00|11
// A reader under the read lock sees all of a write or nothing.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadWriteLocks {
    static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    static int x;
    static int y;
    static String seen;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            LOCK.writeLock().lock();
            x = 1;
            y = 1;
            LOCK.writeLock().unlock();
        });
        Thread b = new Thread(() -> {
            LOCK.readLock().lock();
            seen = "" + x + y;
            LOCK.readLock().unlock();
        });
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(seen);
    }
}
