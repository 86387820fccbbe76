// expect: holds
// outcomes: 1
// A FutureTask that two threads run is run once.
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

public class FutureTaskOnce {
    static final AtomicInteger CALLS = new AtomicInteger();
    static final FutureTask<Integer> TASK = new FutureTask<>(() -> CALLS.incrementAndGet());

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(TASK);
        Thread b = new Thread(TASK);
        a.start();
        b.start();
        int got = TASK.get();
        a.join();
        b.join();
        assert CALLS.get() == 1;
        System.out.println(got);
    }
}
