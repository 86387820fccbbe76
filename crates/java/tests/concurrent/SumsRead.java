// expect: holds
// outcomes: 0|1|2|3
// Sums that somebody reads while others add.
import java.util.concurrent.atomic.AtomicInteger;

public class SumsRead {
    public static void main(String[] args) throws Exception {
        AtomicInteger sum = new AtomicInteger();
        Thread one = new Thread(() -> sum.incrementAndGet());
        Thread two = new Thread(() -> { sum.addAndGet(2); });
        one.start();
        two.start();
        System.out.println(sum.get());
    }
}
