// expect: deadlock
// A barrier for three that only two reach.
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

public class BarrierMissing {
    static final CyclicBarrier BARRIER = new CyclicBarrier(3);

    static void meet() {
        try {
            BARRIER.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> meet());
        Thread b = new Thread(() -> meet());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
