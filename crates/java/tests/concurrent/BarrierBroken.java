// expect: holds
// outcomes: 2
// An interrupt breaks a barrier of three: neither of the two threads at it passes.
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

public class BarrierBroken {
    static final CyclicBarrier BARRIER = new CyclicBarrier(3);
    static final AtomicInteger FAILED = new AtomicInteger();

    static void meet() {
        try {
            BARRIER.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            FAILED.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> meet());
        Thread b = new Thread(() -> meet());
        a.start();
        b.start();
        a.interrupt();
        a.join();
        b.join();
        System.out.println(FAILED);
    }
}
