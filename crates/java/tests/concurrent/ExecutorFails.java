// expect: exception java.util.concurrent.ExecutionException
// A task that throws: get throws in main, which nobody catches. The pool is shut down before.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class ExecutorFails {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Future<Integer> f = pool.submit(() -> Integer.parseInt("x"));
        pool.shutdown();
        f.get();
    }
}
