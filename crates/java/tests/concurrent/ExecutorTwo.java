// expect: holds
// outcomes: 3
// A pool of two threads and two tasks with results.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class ExecutorTwo {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<Integer> one = pool.submit(() -> 1);
        Future<Integer> two = pool.submit(() -> 2);
        int sum = one.get() + two.get();
        pool.shutdown();
        System.out.println(sum);
    }
}
