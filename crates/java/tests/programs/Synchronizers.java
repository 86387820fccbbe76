// Latches, barriers, semaphores, phasers and futures, used by one thread.
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.List;

public class Synchronizers {
    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(2);
        latch.countDown();
        System.out.println(latch.getCount() + " " + latch.await(1, TimeUnit.MILLISECONDS));
        latch.countDown();
        latch.countDown();
        latch.await();
        System.out.println(latch.getCount() + " " + latch.await(1, TimeUnit.MILLISECONDS));
        CyclicBarrier barrier = new CyclicBarrier(1, () -> System.out.println("action"));
        System.out.println(barrier.await() + " " + barrier.await() + " " + barrier.getParties() + " " + barrier.isBroken());
        Semaphore s = new Semaphore(3);
        s.acquire();
        s.acquire(2);
        System.out.println(s.availablePermits() + " " + s.tryAcquire() + " " + s.tryAcquire(1, TimeUnit.MILLISECONDS));
        s.release(5);
        System.out.println(s.availablePermits() + " " + s.drainPermits() + " " + s.tryAcquire());
        Phaser p = new Phaser(1);
        System.out.println(p.arrive() + " " + p.getPhase() + " " + p.register() + " " + p.getRegisteredParties() + " " + p.arriveAndDeregister() + " "
            + p.arriveAndAwaitAdvance() + " " + p.arriveAndDeregister() + " " + p.isTerminated());
        FutureTask<Integer> task = new FutureTask<>(() -> 6 * 7);
        System.out.println(task.isDone());
        task.run();
        System.out.println(task.get() + " " + task.isDone() + " " + task.cancel(true));
        FutureTask<Integer> bad = new FutureTask<>(() -> {
            throw new IllegalStateException("task");
        });
        bad.run();
        try {
            bad.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage() + " / " + e.getCause());
        }
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Future<String> f = pool.submit(() -> "from pool");
        System.out.println(f.get());
        List<Callable<Integer>> calls = List.of(() -> 1, () -> 2, () -> 3);
        int sum = 0;
        for (Future<Integer> x : pool.invokeAll(calls)) {
            sum = sum * 10 + x.get();
        }
        System.out.println(sum + " " + pool.invokeAny(List.of(() -> "any")));
        pool.shutdown();
        System.out.println(pool.awaitTermination(5, TimeUnit.SECONDS) + " " + pool.isShutdown() + pool.isTerminated());
        try {
            pool.submit(() -> 1);
        } catch (RejectedExecutionException e) {
            System.out.println("rejected");
        }
        Executors.newFixedThreadPool(1).shutdownNow();
        System.out.println(TimeUnit.SECONDS.toMillis(3) + " " + TimeUnit.NANOSECONDS.convert(2, TimeUnit.MICROSECONDS) + " " + TimeUnit.MILLISECONDS.toSeconds(2999));
    }
}
