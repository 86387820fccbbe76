import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A task that hands half of its work to the pool that it runs in, and waits for it.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the number of threads of the pool (default 1).
 *
 * <p>The broken version waits for the other half while it keeps the thread that would have to do it: in a
 * pool of one thread nobody is left, and the program hangs. A checker finds the deadlock. With two threads there is none, until
 * two such tasks come at once. The correct version does its own half first, and waits for the other one outside of the pool.
 *
 * <p>Thread pools have many states; with {@code --jdk-locks} this one has 57 times as many.
 */
public class WorkerPool {
    private static int half(int from, int to) {
        int sum = 0;
        for (int i = from; i < to; i++) {
            sum += i;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0 && args[0].equals("broken");
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        int sum;
        if (broken) {
            Future<Integer> all = pool.submit(() -> {
                Future<Integer> rest = pool.submit(() -> half(5, 10));
                return half(0, 5) + rest.get();
            });
            sum = all.get();
        } else {
            Future<Integer> rest = pool.submit(() -> half(5, 10));
            sum = half(0, 5) + rest.get();
        }
        pool.shutdown();
        assert sum == 45 : "sum is " + sum;
    }
}
