// expect: assertion
// FutureTask used wrongly: whoever comes first makes the task, looking and making being two steps, so it may run twice.
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

public class FutureTaskReset {
    static final AtomicInteger RUNS = new AtomicInteger();
    static volatile FutureTask<Integer> task;

    static void ask() {
        if (task == null) {
            task = new FutureTask<>(RUNS::incrementAndGet);
        }
        task.run();
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> ask());
        a.start();
        ask();
        a.join();
        assert RUNS.get() == 1;
    }
}
