// expect: holds
// outcomes: 12|21
// size: large
// ThreadPoolExecutor of one thread: two tasks are run once each. They are run in order, or the other way round if the worker was not ready
// to take the second one and the caller ran it itself.
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

public class PoolContract {
    static synchronized void add(String task) {
        order += task;
    }

    static String order = "";

    public static void main(String[] args) throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>(), new ThreadPoolExecutor.CallerRunsPolicy());
        Thread[] worker = new Thread[1];
        pool.setThreadFactory(task -> worker[0] = new Thread(task));
        pool.execute(() -> add("1"));
        pool.execute(() -> add("2"));
        pool.shutdown();
        worker[0].join();
        assert pool.isTerminated();
        System.out.println(order);
    }
}
