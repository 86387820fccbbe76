// expect: holds
// outcomes: java.util.concurrent.ThreadPoolExecutor ab
// A factory whose threads do more than to run the worker, and the class that a program sees of a pool.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class ExecutorWrapped {
    static String order = "";

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1, worker -> new Thread(() -> {
            worker.run();
            order += "b";
        }));
        pool.execute(() -> order += "a");
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
            Thread.yield();
        }
        synchronized (pool) { }
        System.out.println(pool.getClass().getName() + " " + (order.isEmpty() ? "" : "ab"));
    }
}
