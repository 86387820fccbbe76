// expect: exception java.util.concurrent.RejectedExecutionException
// A pool that has been shut down takes no task.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class PoolEnds {
    public static void main(String[] args) {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.shutdown();
        pool.execute(() -> { });
    }
}
