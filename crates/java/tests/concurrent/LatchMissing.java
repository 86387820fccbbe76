// expect: deadlock
// A latch that nobody counts down to zero.
import java.util.concurrent.CountDownLatch;

public class LatchMissing {
    static final CountDownLatch DONE = new CountDownLatch(2);

    public static void main(String[] args) throws Exception {
        new Thread(() -> DONE.countDown()).start();
        DONE.await();
    }
}
