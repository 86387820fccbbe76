// expect: holds
// outcomes: ab
// Two threads write, meet at a barrier, and read what the other one wrote.
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

public class BarrierTwo {
    static final CyclicBarrier BARRIER = new CyclicBarrier(2);
    static final String[] WRITTEN = new String[2];
    static final String[] READ = new String[2];

    static void run(int me, String text) {
        WRITTEN[me] = text;
        try {
            BARRIER.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
        READ[me] = WRITTEN[1 - me];
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> run(0, "a"));
        Thread b = new Thread(() -> run(1, "b"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(READ[1] + READ[0]);
    }
}
