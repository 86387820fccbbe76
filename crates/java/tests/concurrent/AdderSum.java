// expect: holds
// outcomes: 3
// LongAdder: the sum after all have ended.
import java.util.concurrent.atomic.LongAdder;

public class AdderSum {
    static final LongAdder SUM = new LongAdder();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> SUM.add(1));
        Thread b = new Thread(() -> SUM.add(2));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(SUM.sum());
    }
}
