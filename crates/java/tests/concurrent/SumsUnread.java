// expect: holds
// outcomes: 8 -24
// Sums that nobody reads before everything was added.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class SumsUnread {
    public static void main(String[] args) throws Exception {
        AtomicInteger up = new AtomicInteger();
        AtomicLong down = new AtomicLong();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            long by = -i;
            threads[i] = new Thread(() -> {
                up.incrementAndGet();
                down.addAndGet(4 * by);
                up.getAndIncrement();
            });
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        System.out.println(up.get() + " " + down.get());
    }
}
