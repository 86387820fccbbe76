// expect: holds
// outcomes: 3
// main waits at a latch for two threads.
import java.util.concurrent.CountDownLatch;

public class LatchTwo {
    static final CountDownLatch DONE = new CountDownLatch(2);
    static int x;
    static int y;

    public static void main(String[] args) throws Exception {
        new Thread(() -> {
            x = 1;
            DONE.countDown();
        }).start();
        new Thread(() -> {
            y = 2;
            DONE.countDown();
        }).start();
        DONE.await();
        System.out.println(x + y);
    }
}
