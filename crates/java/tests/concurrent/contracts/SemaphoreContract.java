// expect: holds
// outcomes: 111|112|121|122|211|212|221
// size: large
// Semaphore of two permits and three threads: never three inside. Each prints how many are inside with it; the first one is alone.
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

public class SemaphoreContract {
    static final Semaphore PERMITS = new Semaphore(2);
    static final AtomicInteger INSIDE = new AtomicInteger();
    static final int[] SEEN = new int[3];

    static void enter(int me) {
        PERMITS.acquireUninterruptibly();
        int n = INSIDE.incrementAndGet();
        assert n <= 2;
        SEEN[me] = n;
        INSIDE.decrementAndGet();
        PERMITS.release();
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> enter(0));
        Thread b = new Thread(() -> enter(1));
        a.start();
        b.start();
        enter(2);
        a.join();
        b.join();
        assert PERMITS.availablePermits() == 2;
        System.out.println("" + SEEN[0] + SEEN[1] + SEEN[2]);
    }
}
