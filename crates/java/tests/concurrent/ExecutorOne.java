// expect: holds
// outcomes: ab
// A pool of one thread runs tasks in order.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class ExecutorOne {
    static String order = "";

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.execute(() -> order += "a");
        pool.execute(() -> order += "b");
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
            Thread.yield();
        }
        System.out.println(order);
    }
}
