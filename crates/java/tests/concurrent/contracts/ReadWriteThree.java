// expect: holds
// outcomes: 00|01|10|11
// size: large
// ReentrantReadWriteLock with three threads: a writer and two readers, who may be there together.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadWriteThree {
    static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    static int x;
    static int y;
    static int seen;

    static int read() {
        LOCK.readLock().lock();
        int first = x;
        assert first == y;
        LOCK.readLock().unlock();
        return first;
    }

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> {
            LOCK.writeLock().lock();
            x = 1;
            y = 1;
            LOCK.writeLock().unlock();
        });
        Thread reader = new Thread(() -> seen = read());
        writer.start();
        reader.start();
        int mine = read();
        reader.join();
        System.out.println("" + seen + mine);
    }
}
