import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.IntStream;

/** A little of everything in java.util.concurrent, and of threads; what is printed does not depend on the schedule. */
public class ConcurrencyTour {
    static class Cell {
        volatile int value;
    }

    static void run(Thread thread) throws InterruptedException {
        thread.start();
        thread.join();
    }

    static void threads() throws InterruptedException {
        ThreadGroup group = new ThreadGroup("group");
        run(new Thread(group, () -> System.out.println(Thread.currentThread().getThreadGroup().getName()), "named"));
        Thread handled = new Thread(() -> {
            throw new IllegalStateException("first");
        });
        handled.setUncaughtExceptionHandler((thread, e) -> System.out.println("handler " + e.getMessage()));
        run(handled);
        ThreadGroup catching = new ThreadGroup("catching") {
            @Override
            public void uncaughtException(Thread thread, Throwable e) {
                System.out.println("group " + e.getMessage());
            }
        };
        run(new Thread(catching, () -> {
            throw new IllegalStateException("second");
        }));
        InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
        inherited.set("inherited");
        run(new Thread(() -> System.out.println(inherited.get())));
        System.out.println(handled.getState() + " " + Thread.currentThread().getState() + " " + handled.isAlive());
    }

    static void synchronizers() throws Exception {
        Phaser phaser = new Phaser(1);
        System.out.println(phaser.arrive() + " " + phaser.getPhase() + " " + phaser.register());
        StampedLock stamped = new StampedLock();
        long stamp = stamped.tryOptimisticRead();
        System.out.println(stamped.validate(stamp));
        stamped.unlockWrite(stamped.writeLock());
        System.out.println(stamped.validate(stamp) + " " + (stamped.tryConvertToWriteLock(stamped.readLock()) != 0));
        Semaphore semaphore = new Semaphore(2, true);
        semaphore.acquire();
        System.out.println(semaphore.tryAcquire(5, TimeUnit.MILLISECONDS) + " " + semaphore.availablePermits());
        System.out.println(new CyclicBarrier(1, () -> System.out.println("barrier")).await());
        Exchanger<String> exchanger = new Exchanger<>();
        String[] got = new String[1];
        Thread other = new Thread(() -> {
            try {
                got[0] = exchanger.exchange("from other");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        other.start();
        System.out.println(exchanger.exchange("from main"));
        other.join();
        System.out.println(got[0]);
    }

    static void tasks() throws Exception {
        ForkJoinPool forks = new ForkJoinPool(2);
        System.out.println(forks.invoke(new RecursiveTask<Integer>() {
            @Override
            protected Integer compute() {
                return 42;
            }
        }));
        forks.shutdown();
        System.out.println(forks.awaitTermination(1, TimeUnit.SECONDS));
        CompletableFuture<Integer> half = CompletableFuture.supplyAsync(() -> 20);
        System.out.println(half.thenCombine(CompletableFuture.supplyAsync(() -> 22), Integer::sum).get());
        System.out.println(CompletableFuture.supplyAsync(() -> 1 / 0).handle((x, e) -> e.getMessage()).join());
        System.out.println(IntStream.range(0, 100).parallel().map(x -> x * 2).sum());
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Callable<Integer>> both = List.of(() -> 1, () -> 2);
        for (var future : pool.invokeAll(both)) {
            System.out.println(future.get());
        }
        System.out.println(pool.invokeAny(both.subList(1, 2)));
        pool.shutdown();
        ScheduledExecutorService later = Executors.newScheduledThreadPool(1);
        System.out.println(later.schedule(() -> "later", 5, TimeUnit.MILLISECONDS).get());
        later.shutdownNow();
        CountDownLatch rung = new CountDownLatch(1);
        new Timer(true).schedule(new TimerTask() {
            @Override
            public void run() {
                rung.countDown();
            }
        }, 1);
        rung.await();
        System.out.println("timer");
    }

    static void structures() throws Exception {
        ConcurrentSkipListMap<String, Integer> map = new ConcurrentSkipListMap<>();
        map.put("b", 1);
        map.merge("b", 2, Integer::sum);
        System.out.println(map + " " + new DelayQueue<Delayed>().poll());
        LinkedTransferQueue<Integer> queue = new LinkedTransferQueue<>();
        System.out.println(queue.tryTransfer(1) + " " + queue.offer(2) + " " + queue.take());
        LongAccumulator most = new LongAccumulator(Math::max, 0);
        most.accumulate(5);
        AtomicStampedReference<String> reference = new AtomicStampedReference<>("old", 1);
        System.out.println(most + " " + reference.compareAndSet("old", "new", 1, 2) + " " + reference.getReference());
        AtomicIntegerFieldUpdater<Cell> updater = AtomicIntegerFieldUpdater.newUpdater(Cell.class, "value");
        Cell cell = new Cell();
        System.out.println(updater.incrementAndGet(cell) + " " + updater.getAndAdd(cell, 5) + " " + cell.value);
    }

    public static void main(String[] args) throws Exception {
        threads();
        synchronizers();
        tasks();
        structures();
    }
}
