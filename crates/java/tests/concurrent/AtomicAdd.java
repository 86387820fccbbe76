// expect: holds
// outcomes: 4
// Atomic increments.
import java.util.concurrent.atomic.AtomicInteger;

public class AtomicAdd {
    static final AtomicInteger COUNTER = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Runnable r = () -> {
            COUNTER.incrementAndGet();
            COUNTER.getAndAdd(1);
        };
        Thread a = new Thread(r);
        Thread b = new Thread(r);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(COUNTER);
    }
}
