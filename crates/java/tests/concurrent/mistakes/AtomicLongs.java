// expect: holds
// outcomes: 8
// Two threads add to an AtomicLong.
import java.util.concurrent.atomic.AtomicLong;

public class AtomicLongs {
    static final AtomicLong SUM = new AtomicLong();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> SUM.addAndGet(7));
        a.start();
        SUM.getAndIncrement();
        a.join();
        System.out.println(SUM.get());
    }
}
