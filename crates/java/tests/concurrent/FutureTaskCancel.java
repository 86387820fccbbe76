// expect: holds
// outcomes: cancelled|done
// cancel and run race.
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;

public class FutureTaskCancel {
    static final FutureTask<String> TASK = new FutureTask<>(() -> "done");

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(TASK);
        a.start();
        boolean cancelled = TASK.cancel(false);
        a.join();
        String result;
        try {
            result = TASK.get();
            assert !cancelled;
        } catch (CancellationException e) {
            result = "cancelled";
            assert cancelled;
        }
        System.out.println(result);
    }
}
