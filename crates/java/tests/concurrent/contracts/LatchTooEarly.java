// expect: assertion
// CountDownLatch used wrongly: a thread counts down before it writes.
import java.util.concurrent.CountDownLatch;

public class LatchTooEarly {
    static final CountDownLatch LATCH = new CountDownLatch(1);
    static int x;

    public static void main(String[] args) throws Exception {
        new Thread(() -> {
            LATCH.countDown();
            x = 1;
        }).start();
        LATCH.await();
        assert x == 1;
    }
}
