// expect: holds
// outcomes: met
// Two readers hold the read lock at the same time: each waits inside for the other.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadersTogether {
    static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    static final CountDownLatch INSIDE = new CountDownLatch(2);

    static void read() {
        LOCK.readLock().lock();
        try {
            INSIDE.countDown();
            INSIDE.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            LOCK.readLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> read());
        Thread b = new Thread(() -> read());
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("met");
    }
}
