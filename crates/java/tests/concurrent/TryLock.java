// expect: holds
// outcomes: 1|2
// tryLock fails if the other thread has the lock.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

public class TryLock {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final AtomicInteger HAD = new AtomicInteger();

    static void attempt() {
        if (LOCK.tryLock()) {
            try {
                HAD.incrementAndGet();
            } finally {
                LOCK.unlock();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> attempt());
        Thread b = new Thread(() -> attempt());
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(HAD);
    }
}
