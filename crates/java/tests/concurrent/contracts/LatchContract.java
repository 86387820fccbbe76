// expect: holds
// outcomes: 1111
// size: large
// CountDownLatch: who waits goes on when all have counted down, and sees what they wrote before. One counts and waits itself.
import java.util.concurrent.CountDownLatch;

public class LatchContract {
    static final CountDownLatch LATCH = new CountDownLatch(2);
    static int x;
    static int y;
    static String seen;

    static String await() {
        try {
            LATCH.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assert LATCH.getCount() == 0;
        return "" + x + y;
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            x = 1;
            LATCH.countDown();
        });
        Thread b = new Thread(() -> {
            y = 1;
            LATCH.countDown();
            seen = await();
        });
        a.start();
        b.start();
        String mine = await();
        b.join();
        System.out.println(mine + seen);
    }
}
