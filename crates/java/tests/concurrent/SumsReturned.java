// expect: holds
// outcomes: 12|21
// What an addition gives is looked at: by one who prints it, by one who keeps it, by one who compares it.
import java.util.concurrent.atomic.AtomicInteger;

public class SumsReturned {
    static int kept;

    public static void main(String[] args) throws Exception {
        AtomicInteger sum = new AtomicInteger();
        int[] seen = new int[2];
        Thread one = new Thread(() -> {
            kept = sum.incrementAndGet();
            seen[0] = kept;
        });
        Thread two = new Thread(() -> seen[1] = sum.getAndAdd(1) > 0 ? 2 : 1);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(seen[0] + "" + seen[1]);
    }
}
