// expect: holds
// outcomes: a1|b1|cancelled0|cancelled1
// FutureTask: two threads run it and main cancels; it is computed at most once, and there is a value unless it was cancelled.
// The computation may have begun when it is cancelled.
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;

public class FutureTaskContract {
    static int runs;
    static final FutureTask<String> TASK = new FutureTask<>(() -> {
        runs++;
        return Thread.currentThread().getName();
    });

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(TASK, "a");
        Thread b = new Thread(TASK, "b");
        a.start();
        b.start();
        boolean cancelled = TASK.cancel(false);
        a.join();
        b.join();
        assert TASK.isDone() && TASK.isCancelled() == cancelled;
        String got;
        try {
            got = TASK.get();
            assert !cancelled;
        } catch (CancellationException e) {
            got = "cancelled";
            assert cancelled;
        }
        System.out.println(got + runs);
    }
}
