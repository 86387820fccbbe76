// expect: holds
// outcomes: 12|21
// ReentrantReadWriteLock: a writer that takes the read lock before it gives up the write lock lets no other writer in between.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadWriteDowngrade {
    static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    static int last;
    static String order = "";

    static void write(int me) {
        LOCK.writeLock().lock();
        last = me;
        order += me;
        LOCK.readLock().lock();
        LOCK.writeLock().unlock();
        assert last == me;
        LOCK.readLock().unlock();
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> write(1));
        a.start();
        write(2);
        a.join();
        System.out.println(order);
    }
}
