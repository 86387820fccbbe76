// expect: holds
// outcomes: 1
// size: large
// ThreadPoolExecutor: an accepted task runs although the pool is shut down at once; a later one is refused, and the worker ends.
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

public class PoolOneTask {
    static int runs;
    static Thread worker;

    public static void main(String[] args) throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> worker = new Thread(task));
        pool.execute(() -> runs++);
        pool.shutdown();
        boolean refused = false;
        try {
            pool.execute(() -> runs++);
        } catch (RejectedExecutionException e) {
            refused = true;
        }
        assert refused;
        worker.join();
        assert pool.isTerminated();
        System.out.println(runs);
    }
}
