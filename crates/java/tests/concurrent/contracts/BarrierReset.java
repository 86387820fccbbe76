// expect: exception java.util.concurrent.BrokenBarrierException
// CyclicBarrier used wrongly: it is reset while a thread waits at it.
import java.util.concurrent.CyclicBarrier;

public class BarrierReset {
    static final CyclicBarrier BARRIER = new CyclicBarrier(1 + 1);

    static void sneaky(Throwable e) {
        BarrierReset.<RuntimeException>raise(e);
    }

    @SuppressWarnings("unchecked")
    static <T extends Throwable> void raise(Throwable e) throws T {
        throw (T) e;
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            try {
                BARRIER.await();
            } catch (Exception e) {
                sneaky(e);
            }
        });
        a.setDaemon(true);
        a.start();
        BARRIER.reset();
    }
}
