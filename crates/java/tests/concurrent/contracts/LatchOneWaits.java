// expect: holds
// outcomes: 1
// CountDownLatch: who waits goes on when it has been counted down, sees what was written before, and need not wait again.
import java.util.concurrent.CountDownLatch;

public class LatchOneWaits {
    static final CountDownLatch LATCH = new CountDownLatch(1);
    static int x;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            x = 1;
            LATCH.countDown();
        });
        a.start();
        LATCH.await();
        assert LATCH.getCount() == 0;
        LATCH.await();
        System.out.println(x);
    }
}
