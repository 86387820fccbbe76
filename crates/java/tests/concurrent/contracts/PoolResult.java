// expect: holds
// outcomes: 7
// ThreadPoolExecutor: a task that is handed over runs once, in the pool's thread, and its value comes back. The pool is not shut down; its thread is a daemon.
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

public class PoolResult {
    static int runs;

    public static void main(String[] args) throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread worker = new Thread(task);
            worker.setDaemon(true);
            return worker;
        });
        Thread caller = Thread.currentThread();
        Future<Integer> future = pool.submit(() -> {
            assert Thread.currentThread() != caller;
            runs++;
            return 7;
        });
        int got = future.get();
        assert runs == 1 && future.isDone();
        System.out.println(got);
    }
}
