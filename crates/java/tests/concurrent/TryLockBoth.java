// expect: holds
// outcomes: 0|1|2
// Two locks in opposite order, the second one by tryLock: no deadlock, perhaps no success.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

public class TryLockBoth {
    static final ReentrantLock LEFT = new ReentrantLock();
    static final ReentrantLock RIGHT = new ReentrantLock();
    static final AtomicInteger HAD = new AtomicInteger();

    static void both(ReentrantLock first, ReentrantLock second) {
        first.lock();
        try {
            if (second.tryLock()) {
                HAD.incrementAndGet();
                second.unlock();
            }
        } finally {
            first.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> both(LEFT, RIGHT));
        Thread b = new Thread(() -> both(RIGHT, LEFT));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(HAD);
    }
}
