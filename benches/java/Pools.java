import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Pools, futures and locks as programs use them every day: how many states the library's own steps are worth.
 *
 * <p>Arguments: the case (default {@code empty}), and its sizes (default 1 and 1): mostly the number of threads and of
 * tasks. There is nothing to be found.
 */
public class Pools {
    private static final class Sum extends RecursiveTask<Integer> {
        private static final long serialVersionUID = 1L;
        private final int from;
        private final int to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (from == to) {
                return from;
            }
            int middle = (from + to) / 2;
            Sum left = new Sum(from, middle);
            Sum right = new Sum(middle + 1, to);
            left.fork();
            return right.compute() + left.join();
        }
    }

    private static int n;

    /** Tasks without results. */
    private static void empty(ExecutorService pool, int tasks) {
        for (int i = 0; i < tasks; i++) {
            pool.execute(() -> { });
        }
        pool.shutdown();
    }

    private static List<Callable<Integer>> numbers(int tasks) {
        List<Callable<Integer>> all = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            int number = i;
            all.add(() -> number);
        }
        return all;
    }

    private static void sum(List<Future<Integer>> futures, int tasks) throws Exception {
        int sum = 0;
        for (Future<Integer> one : futures) {
            sum += one.get();
        }
        assert sum == tasks * (tasks - 1) / 2 : "the sum is " + sum;
    }

    /** Tasks with results. */
    private static void submit(ExecutorService pool, int tasks) throws Exception {
        List<Future<Integer>> futures = new ArrayList<>();
        for (Callable<Integer> task : numbers(tasks)) {
            futures.add(pool.submit(task));
        }
        sum(futures, tasks);
        pool.shutdown();
    }

    private static void chain(ExecutorService pool) {
        int result = CompletableFuture.supplyAsync(() -> 1, pool)
                .thenApply(x -> x + 1)
                .thenApplyAsync(x -> x * 2, pool)
                .join();
        pool.shutdown();
        assert result == 4 : "the result is " + result;
    }

    private static void scheduled(ScheduledExecutorService pool, int tasks, boolean getsResults) throws Exception {
        List<Integer> done = Collections.synchronizedList(new ArrayList<>());
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            int number = i;
            Callable<Integer> task = () -> {
                if (!getsResults) {
                    done.add(number);
                }
                return number;
            };
            futures.add(pool.schedule(task, 10 * (i + 1), TimeUnit.MILLISECONDS));
        }
        if (getsResults) {
            sum(futures, tasks);
        }
        pool.shutdown();
        if (!getsResults) {
            pool.awaitTermination(1, TimeUnit.SECONDS);
        }
    }

    /** Runs a body once in each of n threads. */
    private static void threads(int number, Runnable body) throws InterruptedException {
        Thread[] threads = new Thread[number];
        for (int i = 0; i < number; i++) {
            threads[i] = new Thread(body);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assert n == number : "n is " + n;
    }

    private static void locked(int number, Lock lock) throws InterruptedException {
        threads(number, () -> {
            lock.lock();
            try {
                n++;
            } finally {
                lock.unlock();
            }
        });
    }

    public static void main(String[] args) throws Exception {
        int first = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int second = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        switch (args.length > 0 ? args[0] : "empty") {
            case "empty" -> empty(Executors.newFixedThreadPool(first), second);
            case "fixed" -> submit(Executors.newFixedThreadPool(first), second);
            case "cached" -> submit(Executors.newCachedThreadPool(), first);
            case "invoke-all" -> {
                ExecutorService pool = Executors.newFixedThreadPool(first);
                sum(pool.invokeAll(numbers(second)), second);
                pool.shutdown();
            }
            case "chain" -> chain(Executors.newFixedThreadPool(first));
            case "combine" -> {
                CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> 1);
                CompletableFuture<Integer> two = CompletableFuture.supplyAsync(() -> 2);
                assert one.thenCombine(two, Integer::sum).join() == 3;
            }
            case "fork" -> {
                ForkJoinPool pool = new ForkJoinPool(first);
                int sum = pool.invoke(new Sum(1, second));
                pool.shutdown();
                assert sum == second * (second + 1) / 2 : "the sum is " + sum;
            }
            case "scheduled" -> scheduled(Executors.newScheduledThreadPool(first), second, false);
            case "scheduled-get" -> scheduled(Executors.newScheduledThreadPool(first), second, true);
            case "synchronized" -> {
                Object monitor = new Object();
                threads(first, () -> {
                    synchronized (monitor) {
                        n++;
                    }
                });
            }
            case "lock" -> locked(first, new ReentrantLock());
            case "write-lock" -> locked(first, new ReentrantReadWriteLock().writeLock());
            case "semaphore" -> {
                Semaphore permits = new Semaphore(1);
                threads(first, () -> {
                    permits.acquireUninterruptibly();
                    n++;
                    permits.release();
                });
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
