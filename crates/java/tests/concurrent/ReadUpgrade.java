// expect: deadlock
// A thread with the read lock asks for the write lock and waits for itself.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadUpgrade {
    static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            LOCK.readLock().lock();
            LOCK.writeLock().lock();
        });
        a.start();
        a.join();
    }
}
