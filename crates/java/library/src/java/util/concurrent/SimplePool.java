package java.util.concurrent;

import java.util.ArrayList;
import java.util.List;

/**
 * The pools that {@code Executors} makes with threads for tasks that wait in no order of time, in few steps: the checker
 * lets {@code newFixedThreadPool}, {@code newSingleThreadExecutor} and {@code newCachedThreadPool} make one of these in
 * place of a {@code ThreadPoolExecutor}, unless {@code --jdk-locks} or {@code --without pools} is given. Pools that
 * programs make themselves, subclasses and scheduled pools run on the original.
 *
 * <p>What the original does in several operations on its counter, its lock and its queue is one atomic section here:
 *
 * <ol>
 * <li>{@link #execute}: count a worker, hand the task over, or put it into the queue. The original looks at its state
 * again after it has put a task into the queue, and takes it out if the pool was shut down meanwhile. That is a run in
 * which the pool was shut down before; if a worker was faster, one in which it was shut down afterwards.
 * <li>{@link #next}: take a task, or see that there is nothing to be done any more. An idle worker of the original waits
 * on a condition, and is interrupted when the pool is shut down. It never runs a task with that interrupt: the flag is
 * cleared before each task, as here, unless the pool was stopped, in which case it is set.
 * <li>the end of a worker, and with the last one that of the pool.
 * </ol>
 *
 * <p>Between two sections other threads run, wherever the program could tell: between counting a worker and starting
 * it (the program may make the thread), between becoming idle and being handed a task (whether a worker is idle decides
 * whether a cached pool makes a new one, the latest comes first), between the end of an idle worker's time and its end.
 *
 * <p>One thing is open here that the original decides: which of several idle workers of a fixed pool takes a task. There
 * it is the one that has waited longest, as long as no condition wakes up spuriously, which Java permits.
 *
 * <p>What looks further into a pool (its sizes, its queue, its text), changes it, or ends a worker with an exception is
 * not done here: {@link #original} gives up, and the search begins again with the original. So it does where the
 * program's own code can tell what waiting threads do (see {@code AbstractQueuedSynchronizer}).
 */
final class SimplePool extends ThreadPoolExecutor {
    private static final int RUNNING = 0, SHUTDOWN = 1, STOP = 2, TERMINATED = 3;

    /** Whether this is not done by the original. */
    private final boolean simple = isSimple();
    /** The most workers that are made before tasks wait. */
    private final int core;
    /** How long an idle worker lives where tasks do not wait but are handed over to it; negative if they wait. */
    private final long patience;

    // All of these change in sections only.
    private volatile int state;
    /** How many workers there are, or will be. */
    private int size;
    /** The workers whose thread was started, or is about to be. */
    private Worker workers;
    /** The tasks that wait, the oldest first. */
    private Task first;
    private Task last;
    /** The workers that wait for a task to be handed over, the latest first. */
    private Worker idle;

    private static final class Task {
        final Runnable body;
        Task next;

        Task(Runnable body) {
            this.body = body;
        }
    }

    private final class Worker implements Runnable {
        /** What it is to run first, or is handed over. */
        Runnable task;
        Thread thread;
        /** Whether its thread runs. */
        boolean begun;
        /** Whether it is in the list of idle workers. */
        boolean waits;
        /** The next one in the list of workers, and in that of idle ones. */
        Worker next;
        Worker below;

        Worker(Runnable task) {
            this.task = task;
        }

        public void run() {
            work(this);
        }
    }

    SimplePool(int core, int max, long time, TimeUnit unit, BlockingQueue<Runnable> queue) {
        super(core, max, time, unit, queue);
        this.core = core;
        this.patience = queue instanceof SynchronousQueue ? unit.toNanos(time) : -1L;
    }

    SimplePool(int core, int max, long time, TimeUnit unit, BlockingQueue<Runnable> queue, ThreadFactory factory) {
        super(core, max, time, unit, queue, factory);
        this.core = core;
        this.patience = queue instanceof SynchronousQueue ? unit.toNanos(time) : -1L;
    }

    // The checker's.

    /** Whether no thread can tell, as far as is known. */
    private static native boolean isSimple();

    /** Gives up: this is no run of the program, and the search begins again with pools that are not simple. */
    private static native void original();

    /** Begins a section: no other thread runs before it ends. */
    private static native void enter();

    /** Begins a section that may end by time. */
    private static native void enterTimed();

    private static native void leave();

    /** The section has failed and was never begun: the thread waits until it does not fail. It has written nothing. */
    private static native void retry();

    /** In a section that may end by time: time passes, unless it stands still, which is to fail. */
    private static native void expire(long nanos);

    /** As {@link #expire}, until a deadline. */
    private static native void expireAt(long deadline);

    /** When a wait that begins now is over. The checker knows that this reading of the clock is for a wait. */
    private static long deadline(long nanos) {
        return System.nanoTime() + nanos;
    }

    // Tasks come.

    private static final int REJECTED = 0, ADDED = 1, QUEUED = 2, HANDED_OVER = 3;

    public void execute(Runnable command) {
        if (!simple) {
            super.execute(command);
            return;
        }
        if (command == null) {
            throw new NullPointerException();
        }
        switch (place(command)) {
            case ADDED:
                if (!add(command)) {
                    reject(command);
                }
                break;
            case HANDED_OVER:
                // The worker may have run it and ended since.
                if (replaceLast()) {
                    add(null);
                }
                break;
            case REJECTED:
                reject(command);
                break;
            default:
        }
    }

    private int place(Runnable command) {
        enter();
        try {
            if (state != RUNNING) {
                return REJECTED;
            }
            if (size < core || patience >= 0L && idle == null) {
                size++;
                return ADDED;
            }
            if (patience >= 0L) {
                Worker worker = idle;
                idle = worker.below;
                worker.below = null;
                worker.waits = false;
                worker.task = command;
                return HANDED_OVER;
            }
            Task task = new Task(command);
            if (first == null) {
                first = task;
            } else {
                last.next = task;
            }
            last = task;
            return QUEUED;
        } finally {
            leave();
        }
    }

    /** Whether there is no worker left although the pool runs; then a new one is counted. */
    private boolean replaceLast() {
        enter();
        try {
            if (state != RUNNING || size > 0) {
                return false;
            }
            size++;
            return true;
        } finally {
            leave();
        }
    }

    /** Makes the thread of a worker that was counted, and starts it; false if the pool was shut down meanwhile. */
    private boolean add(Runnable task) {
        Worker worker = new Worker(task);
        boolean started = false;
        try {
            worker.thread = getThreadFactory().newThread(worker);
            if (worker.thread == null) {
                original();
            }
            if (enlist(worker)) {
                start(worker.thread);
                started = true;
            }
        } finally {
            if (!started) {
                end(worker);
            }
        }
        return started;
    }

    /** Starts the thread of a worker. The JDK's pool refuses one that the factory has started, before it lists it. */
    private void start(Thread thread) {
        boolean started = false;
        try {
            thread.start();
            started = true;
        } finally {
            if (!started) {
                original();
            }
        }
    }

    private boolean enlist(Worker worker) {
        enter();
        try {
            if (state != RUNNING && (state != SHUTDOWN || worker.task != null)) {
                return false;
            }
            worker.next = workers;
            workers = worker;
            return true;
        } finally {
            leave();
        }
    }

    private void end(Worker worker) {
        enter();
        try {
            ended(worker);
        } finally {
            leave();
        }
    }

    /** A worker has ended, or never began. In a section. */
    private void ended(Worker worker) {
        if (workers == worker) {
            workers = worker.next;
        } else {
            for (Worker before = workers; before != null; before = before.next) {
                if (before.next == worker) {
                    before.next = worker.next;
                }
            }
        }
        worker.next = null;
        size--;
        terminateIfEmpty();
    }

    /** In a section. */
    private void terminateIfEmpty() {
        if (state != RUNNING && size == 0 && first == null) {
            state = TERMINATED;
        }
    }

    // Tasks are run.

    private void work(Worker worker) {
        Runnable task = begin(worker);
        boolean done = false;
        try {
            if (task == null) {
                task = next(worker);
            }
            while (task != null) {
                task.run();
                task = null;
                task = next(worker);
            }
            done = true;
        } finally {
            if (!done) {
                original();
            }
        }
    }

    /**
     * The first task, with the interrupt flag as it should be. A factory may run the worker twice, or in another thread
     * than the one it gave: then the pool is the JDK's.
     */
    private Runnable begin(Worker worker) {
        boolean stopped = false;
        boolean odd = false;
        enter();
        try {
            odd = worker.begun || worker.thread != Thread.currentThread();
            worker.begun = true;
            stopped = clearFlag();
        } finally {
            leave();
        }
        if (odd) {
            original();
        }
        if (stopped) {
            Thread.currentThread().interrupt();
        }
        Runnable task = worker.task;
        worker.task = null;
        return task;
    }

    /** Whether the task about to run should be interrupted; if not, the interrupt flag is cleared. In a section. */
    private boolean clearFlag() {
        if (state >= STOP) {
            return true;
        }
        Thread.interrupted();
        return false;
    }

    /** The next task, or null if the worker is to end. */
    private Runnable next(Worker worker) {
        return patience >= 0L ? nextHandedOver(worker) : nextQueued(worker);
    }

    private Runnable nextQueued(Worker worker) {
        enter();
        try {
            if (state >= STOP || state == SHUTDOWN && first == null) {
                ended(worker);
                return null;
            }
            if (first == null) {
                retry();
            }
            Task task = first;
            first = task.next;
            task.next = null;
            if (first == null) {
                last = null;
            }
            Thread.interrupted();
            return task.body;
        } finally {
            leave();
        }
    }

    private Runnable nextHandedOver(Worker worker) {
        while (becomeIdle(worker)) {
            boolean stopped = false;
            boolean expired = false;
            Runnable task = null;
            enterTimed();
            try {
                if (!worker.waits) {
                    task = worker.task;
                    worker.task = null;
                    stopped = clearFlag();
                } else if (state != RUNNING) {
                    leaveIdle(worker);
                } else if (Thread.interrupted()) {
                    leaveIdle(worker);
                } else {
                    expire(patience);
                    leaveIdle(worker);
                    expired = true;
                }
            } finally {
                leave();
            }
            if (stopped) {
                Thread.currentThread().interrupt();
            }
            if (task != null) {
                return task;
            }
            if (expired) {
                end(worker);
                return null;
            }
        }
        return null;
    }

    /** Whether the worker is to wait for a task; if not, it has ended. */
    private boolean becomeIdle(Worker worker) {
        enter();
        try {
            if (state != RUNNING) {
                ended(worker);
                return false;
            }
            worker.waits = true;
            worker.below = idle;
            idle = worker;
            return true;
        } finally {
            leave();
        }
    }

    private void leaveIdle(Worker worker) {
        worker.waits = false;
        if (idle == worker) {
            idle = worker.below;
        } else {
            for (Worker above = idle; above != null; above = above.below) {
                if (above.below == worker) {
                    above.below = worker.below;
                }
            }
        }
        worker.below = null;
    }

    // The end.

    public void shutdown() {
        if (!simple) {
            super.shutdown();
            return;
        }
        stop(SHUTDOWN);
        endIfEmpty();
    }

    private void stop(int next) {
        enter();
        try {
            if (state < next) {
                state = next;
            }
        } finally {
            leave();
        }
    }

    /** An operation of its own: other threads can see a pool that was shut down and has not terminated. */
    private void endIfEmpty() {
        enter();
        try {
            terminateIfEmpty();
        } finally {
            leave();
        }
    }

    public List<Runnable> shutdownNow() {
        if (!simple) {
            return super.shutdownNow();
        }
        ArrayList<Runnable> tasks = new ArrayList<>();
        ArrayList<Thread> threads = new ArrayList<>();
        enter();
        try {
            if (state < STOP) {
                state = STOP;
            }
            for (Task task = first; task != null; task = task.next) {
                tasks.add(task.body);
            }
            first = null;
            last = null;
            for (Worker worker = workers; worker != null; worker = worker.next) {
                if (worker.begun) {
                    threads.add(worker.thread);
                }
            }
        } finally {
            leave();
        }
        for (Thread thread : threads) {
            thread.interrupt();
        }
        endIfEmpty();
        return tasks;
    }

    public boolean isShutdown() {
        return simple ? state != RUNNING : super.isShutdown();
    }

    public boolean isTerminating() {
        if (!simple) {
            return super.isTerminating();
        }
        int now = state;
        return now == SHUTDOWN || now == STOP;
    }

    public boolean isTerminated() {
        return simple ? state == TERMINATED : super.isTerminated();
    }

    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        if (!simple) {
            return super.awaitTermination(timeout, unit);
        }
        long nanos = unit.toNanos(timeout);
        if (state == TERMINATED) {
            return true;
        }
        if (nanos <= 0L) {
            return false;
        }
        long deadline = deadline(nanos);
        boolean interrupted = false;
        enterTimed();
        try {
            if (state == TERMINATED) {
                return true;
            }
            interrupted = Thread.interrupted();
            if (!interrupted) {
                expireAt(deadline);
            }
        } finally {
            leave();
        }
        if (interrupted) {
            throw new InterruptedException();
        }
        return state == TERMINATED;
    }

    // What is not simple.

    private void look() {
        if (simple) {
            original();
        }
    }

    public BlockingQueue<Runnable> getQueue() {
        look();
        return super.getQueue();
    }

    public boolean remove(Runnable task) {
        look();
        return super.remove(task);
    }

    public void purge() {
        look();
        super.purge();
    }

    public int getPoolSize() {
        look();
        return super.getPoolSize();
    }

    public int getActiveCount() {
        look();
        return super.getActiveCount();
    }

    public int getLargestPoolSize() {
        look();
        return super.getLargestPoolSize();
    }

    public long getTaskCount() {
        look();
        return super.getTaskCount();
    }

    public long getCompletedTaskCount() {
        look();
        return super.getCompletedTaskCount();
    }

    public String toString() {
        look();
        return super.toString().replace(SimplePool.class.getName(), ThreadPoolExecutor.class.getName());
    }

    public void setCorePoolSize(int size) {
        look();
        super.setCorePoolSize(size);
    }

    public void setMaximumPoolSize(int size) {
        look();
        super.setMaximumPoolSize(size);
    }

    public void setKeepAliveTime(long time, TimeUnit unit) {
        look();
        super.setKeepAliveTime(time, unit);
    }

    public void allowCoreThreadTimeOut(boolean value) {
        look();
        super.allowCoreThreadTimeOut(value);
    }

    public boolean prestartCoreThread() {
        look();
        return super.prestartCoreThread();
    }

    public int prestartAllCoreThreads() {
        look();
        return super.prestartAllCoreThreads();
    }
}
