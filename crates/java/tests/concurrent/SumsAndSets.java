// expect: holds
// outcomes: 5|6|15|16|18
// An addition does not commute with other writes: setting, multiplying, comparing.
import java.util.concurrent.atomic.AtomicInteger;

public class SumsAndSets {
    public static void main(String[] args) throws Exception {
        AtomicInteger sum = new AtomicInteger(2);
        Thread add = new Thread(() -> { sum.incrementAndGet(); });
        Thread set = new Thread(() -> sum.set(5));
        Thread times = new Thread(() -> sum.updateAndGet(x -> 3 * x));
        add.start();
        set.start();
        times.start();
        add.join();
        set.join();
        times.join();
        System.out.println(sum.get());
    }
}
