// expect: assertion
// Semaphore used wrongly: a thread gives back a permit that it did not get.
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

public class SemaphoreOverRelease {
    static final Semaphore PERMITS = new Semaphore(1);
    static final AtomicInteger INSIDE = new AtomicInteger();

    static void enter() {
        assert INSIDE.incrementAndGet() == 1;
        INSIDE.decrementAndGet();
    }

    static void careless() {
        if (PERMITS.tryAcquire()) {
            enter();
        }
        PERMITS.release();
    }

    public static void main(String[] args) {
        new Thread(() -> {
            PERMITS.acquireUninterruptibly();
            enter();
            PERMITS.release();
        }).start();
        careless();
        careless();
    }
}
