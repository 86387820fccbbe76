package java.util.concurrent.locks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import jdk.internal.misc.Unsafe;

/**
 * What locks, semaphores and latches are made of, in few steps: the checker runs this class in place of the
 * class library's own, unless {@code --jdk-locks} is given.
 *
 * <p>What the original does with several atomic operations, so that it needs no lock itself, is one atomic section
 * here. Such a section is one step, so no thread can see it half done. There are two ways of waiting.
 *
 * <p><b>In order</b>, as the original does: a thread that cannot acquire waits in a queue, first come, first served,
 * except that a newcomer may be faster than the first in the queue; a release wakes the first. The queue holds only
 * threads that wait: what the monitoring methods tell ({@code getQueueLength} and the like) is never out of date.
 *
 * <p><b>Without a queue</b> ({@link #unordered}): a thread that cannot acquire stays where it is, and tries again
 * whenever it is scheduled; an attempt that fails leaves no trace ({@link #retry}). So a thread that waits is in the
 * same state as one that is about to try. Only threads that were signalled on a condition are in a list, since the
 * signaller holds the lock and knows their order. This has the same outcomes as the original, because
 *
 * <ol>
 * <li>each run here is a run of the original: there, let each thread begin to acquire just before it acquires here.
 * Then nobody is in the queue but those that were signalled, in the same order, and a newcomer takes a free lock
 * whoever is in the queue. Threads that never acquire begin last, and wait.
 * <li>each run of the original is a run here, up to what no other thread can see: to be in the queue is noticed only by
 * the monitoring methods, by fair locks, and by a queue that holds back a thread which could acquire. The
 * last cannot happen if all threads that wait can acquire in the same states: {@code ReentrantLock}, a write lock
 * without readers, a semaphore of which everybody takes one permit, a latch, the lock of a pool's worker.
 * To time out and to be interrupted needs a moment at which the thread cannot acquire, here as there.
 * <li>a thread that waits in the original parks: it can lose a permit to park there, or bring one along, and its
 * interrupt flag is off for a while. Programs that park, or look at the flag of another thread, can tell.
 * </ol>
 *
 * <p>Where one of these conditions does not hold, or a thread asks, that class of locks waits in order (2), or all do
 * (3); the search begins again for that. The program's own subclasses run on the original.
 */
public abstract class AbstractQueuedSynchronizer extends AbstractOwnableSynchronizer
        implements java.io.Serializable {
    private static final long serialVersionUID = 7373984972572414691L;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long STATE = UNSAFE.objectFieldOffset(AbstractQueuedSynchronizer.class, "state");

    private volatile int state;
    /** The threads that wait, the longest first. */
    private transient volatile Node first;

    /** A thread that waits, to acquire or for a condition. */
    static final class Node implements ForkJoinPool.ManagedBlocker {
        final Thread thread;
        final boolean shared;
        Node next;
        /** Whether it waits to acquire; if not, it waits for a condition, or not at all. */
        volatile boolean queued;
        /** Whether it parks while it waits, rather than to try again and again. */
        boolean parks = true;
        /** Whether a release is to wake it: it may be asleep, and nobody has woken it since. */
        boolean asleep;

        Node(boolean shared) {
            this.thread = Thread.currentThread();
            this.shared = shared;
        }

        // To wait for a condition, as a task of a pool that puts another thread in its place.

        public boolean isReleasable() {
            return queued || Thread.currentThread().isInterrupted();
        }

        public boolean block() {
            while (!isReleasable()) {
                LockSupport.park();
            }
            return true;
        }
    }

    protected AbstractQueuedSynchronizer() {}

    // The checker's: nobody else runs between the two.

    private static native void enter();

    /** Begins a section that acquires: it keeps others from acquiring, and lets nobody go on. */
    private static native void enterAcquire();

    /** Begins a section that releases: it lets others go on, and keeps nobody from anything. */
    private native void enterRelease();

    /** Begins a section that tells threads to go on once the lock is released. */
    private static native void enterSignal();

    /** Begins a section that may end by time. */
    private static native void enterTimed();

    private static native void leave();

    /**
     * Ends a section that has acquired.
     *
     * @param excludes whether no other thread can acquire until somebody releases
     */
    private static native void leaveAcquired(boolean excludes);

    /** The section has failed and was never begun: the thread waits until it does not fail. It has written nothing. */
    private static native void retry();

    /** In a section that may end by time: time passes until a deadline, unless time stands still, which is to fail. */
    private static native void expire(long deadline);

    /** When a wait that begins now is over. The checker knows that this reading of the clock is for a wait. */
    private static long deadline(long nanos) {
        return System.nanoTime() + nanos;
    }

    /**
     * Whether threads wait for this without a queue.
     *
     * @param shared whether the caller is about to acquire in shared mode
     * @param arg how much
     */
    private native boolean unordered(boolean shared, int arg);

    /** The program asks who is in the queue: from now on there is one. */
    private native void observeQueue();

    // The state, and what subclasses define.

    protected final int getState() {
        return state;
    }

    protected final void setState(int newState) {
        state = newState;
    }

    protected final boolean compareAndSetState(int expect, int update) {
        return UNSAFE.compareAndSetInt(this, STATE, expect, update);
    }

    protected boolean tryAcquire(int arg) {
        throw new UnsupportedOperationException();
    }

    protected boolean tryRelease(int arg) {
        throw new UnsupportedOperationException();
    }

    protected int tryAcquireShared(int arg) {
        throw new UnsupportedOperationException();
    }

    protected boolean tryReleaseShared(int arg) {
        throw new UnsupportedOperationException();
    }

    protected boolean isHeldExclusively() {
        throw new UnsupportedOperationException();
    }

    // The queue. All of this is called in atomic sections.

    private void add(Node node) {
        node.queued = true;
        first = append(first, node);
    }

    private void remove(Node node) {
        node.queued = false;
        first = without(first, node);
    }

    /** A list with a node at its end. */
    private static Node append(Node first, Node node) {
        node.next = null;
        if (first == null) {
            return node;
        }
        Node last = first;
        while (last.next != null) {
            last = last.next;
        }
        last.next = node;
        return first;
    }

    /** A list without one of its nodes. */
    private static Node without(Node first, Node node) {
        Node rest = node.next;
        node.next = null;
        if (first == node) {
            return rest;
        }
        Node before = first;
        while (before.next != node) {
            before = before.next;
        }
        before.next = rest;
        return first;
    }

    private void wakeFirst() {
        Node node = first;
        if (node != null && node.asleep) {
            node.asleep = false;
            LockSupport.unpark(node.thread);
        }
    }

    /** Acquires for a new thread ({@code node} is null) or for the first one of the queue. */
    private boolean attempt(Node node, boolean shared, int arg) {
        if (node != null && first != node) {
            return false;
        }
        if (shared) {
            if (tryAcquireShared(arg) < 0) {
                return false;
            }
        } else if (!tryAcquire(arg)) {
            return false;
        }
        if (node != null) {
            remove(node);
            if (shared && first != null && first.shared) {
                wakeFirst();
            }
        }
        return true;
    }

    /** Ends the wait of a thread that did not acquire. */
    private void giveUp(Node node) {
        boolean wasFirst = first == node;
        remove(node);
        if (wasFirst) {
            wakeFirst();
        }
    }

    // To acquire.

    /** How an attempt to acquire ended. */
    private static final int ACQUIRED = 0, INTERRUPTED = 1, LATE = 2;

    /**
     * Acquires, or waits until that can be done.
     *
     * <p>As in the original, a thread that is about to sleep says so and looks once more before it does; what wakes
     * it in between is still there when it next parks, whatever for.
     *
     * @param node who waits already, or null
     * @param deadline when to give up, if it is timed
     */
    private int acquire(Node node, boolean shared, int arg, boolean interruptible, long deadline, boolean timed) {
        boolean interrupted = false;
        boolean last = false;
        for (;;) {
            enter();
            try {
                if (attempt(node, shared, arg)) {
                    break;
                }
                if (node == null) {
                    node = new Node(shared);
                    add(node);
                }
                if (!last) {
                    node.asleep = true;
                }
            } catch (Throwable thrown) {
                if (node != null) {
                    giveUp(node);
                }
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                throw thrown;
            } finally {
                leave();
            }
            last = !last;
            if (last) {
                continue;
            }
            if (timed) {
                long rest = deadline - System.nanoTime();
                if (rest <= 0L) {
                    return cancel(node, LATE);
                }
                LockSupport.parkNanos(this, rest);
            } else {
                LockSupport.park(this);
            }
            if (Thread.interrupted()) {
                if (interruptible) {
                    return cancel(node, INTERRUPTED);
                }
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return ACQUIRED;
    }

    // To acquire without a queue.

    /** What {@code ReentrantLock.Sync} does before it comes here: it takes a lock that is free, or that it holds. */
    boolean initialTryLock() {
        return tryAcquire(1);
    }

    /** In place of that of {@code ReentrantLock.Sync}, which is left out: there both attempts are operations. */
    final void lock() {
        if (!unordered(false, 1)) {
            if (!initialTryLock()) {
                acquire(1);
            }
            return;
        }
        enterAcquire();
        boolean done = false;
        try {
            done = initialTryLock();
        } catch (Throwable thrown) {
            leave();
            throw thrown;
        }
        if (!done) {
            retry();
        }
        leaveAcquired(true);
    }

    /** As {@link #lock}. */
    final void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!unordered(false, 1)) {
            if (!initialTryLock()) {
                acquireInterruptibly(1);
            }
            return;
        }
        enterAcquire();
        boolean done = false;
        try {
            done = initialTryLock();
        } catch (Throwable thrown) {
            leave();
            throw thrown;
        }
        endInterruptibly(done ? 0 : -1);
    }

    /** Ends a section that has acquired, or fails unless the thread is interrupted. */
    private static void endInterruptibly(int result) throws InterruptedException {
        if (result >= 0) {
            leaveAcquired(result == 0);
            return;
        }
        if (!Thread.interrupted()) {
            retry();
        }
        leave();
        throw new InterruptedException();
    }

    /** Tries to acquire: negative if that fails, zero if no other thread can acquire now. */
    private int tryAny(boolean shared, int arg) {
        return shared ? tryAcquireShared(arg) : tryAcquire(arg) ? 0 : -1;
    }

    private void acquireUnordered(boolean shared, int arg) {
        enterAcquire();
        int result = -1;
        try {
            result = tryAny(shared, arg);
        } catch (Throwable thrown) {
            leave();
            throw thrown;
        }
        if (result < 0) {
            retry();
        }
        leaveAcquired(result == 0);
    }

    private void acquireUnorderedInterruptibly(boolean shared, int arg) throws InterruptedException {
        enterAcquire();
        int result = -1;
        try {
            result = tryAny(shared, arg);
        } catch (Throwable thrown) {
            leave();
            throw thrown;
        }
        endInterruptibly(result);
    }

    /** One attempt, which others can see fail. */
    private boolean tryOnce(boolean shared, int arg) {
        enter();
        try {
            return tryAny(shared, arg) >= 0;
        } finally {
            leave();
        }
    }

    /** Acquires after an attempt that failed. As in the original, a thread whose time is over tries once more. */
    private boolean acquireTimed(boolean shared, int arg, long deadline) throws InterruptedException {
        for (;;) {
            long rest = deadline - System.nanoTime();
            if (rest <= 0L) {
                return false;
            }
            boolean interrupted = false;
            enterTimed();
            try {
                if (tryAny(shared, arg) >= 0) {
                    return true;
                }
                interrupted = Thread.interrupted();
                if (!interrupted) {
                    expire(deadline);
                }
            } finally {
                leave();
            }
            if (interrupted) {
                throw new InterruptedException();
            }
            if (tryOnce(shared, arg)) {
                return true;
            }
        }
    }

    private int cancel(Node node, int why) {
        enter();
        try {
            giveUp(node);
        } finally {
            leave();
        }
        return why;
    }

    public final void acquire(int arg) {
        if (unordered(false, arg)) {
            acquireUnordered(false, arg);
        } else {
            acquire(null, false, arg, false, 0L, false);
        }
    }

    public final void acquireInterruptibly(int arg) throws InterruptedException {
        acquireAnyInterruptibly(false, arg);
    }

    private void acquireAnyInterruptibly(boolean shared, int arg) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (unordered(shared, arg)) {
            acquireUnorderedInterruptibly(shared, arg);
        } else if (acquire(null, shared, arg, true, 0L, false) != ACQUIRED) {
            throw new InterruptedException();
        }
    }

    public final boolean tryAcquireNanos(int arg, long nanos) throws InterruptedException {
        return tryNanos(false, arg, nanos);
    }

    public final void acquireShared(int arg) {
        if (unordered(true, arg)) {
            acquireUnordered(true, arg);
        } else {
            acquire(null, true, arg, false, 0L, false);
        }
    }

    public final void acquireSharedInterruptibly(int arg) throws InterruptedException {
        acquireAnyInterruptibly(true, arg);
    }

    public final boolean tryAcquireSharedNanos(int arg, long nanos) throws InterruptedException {
        return tryNanos(true, arg, nanos);
    }

    private boolean tryNanos(boolean shared, int arg, long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (nanos <= 0L) {
            return tryAny(shared, arg) >= 0;
        }
        if (unordered(shared, arg)) {
            return tryOnce(shared, arg) || acquireTimed(shared, arg, deadline(nanos));
        }
        switch (acquire(null, shared, arg, true, deadline(nanos), true)) {
            case ACQUIRED:
                return true;
            case LATE:
                return false;
            default:
                throw new InterruptedException();
        }
    }

    // To release.

    public final boolean release(int arg) {
        if (unordered(false, 1)) {
            enterRelease();
        } else {
            enter();
        }
        try {
            if (!tryRelease(arg)) {
                return false;
            }
            wakeFirst();
            return true;
        } finally {
            leave();
        }
    }

    public final boolean releaseShared(int arg) {
        if (unordered(false, 1)) {
            enterRelease();
        } else {
            enter();
        }
        try {
            if (!tryReleaseShared(arg)) {
                return false;
            }
            wakeFirst();
            return true;
        } finally {
            leave();
        }
    }

    // To look at the queue.

    public final boolean hasQueuedThreads() {
        observeQueue();
        return first != null;
    }

    /** Whether anybody ever waited: nothing here remembers, so the checker says that it cannot tell. */
    public final native boolean hasContended();

    public final Thread getFirstQueuedThread() {
        observeQueue();
        Node node = first;
        return node == null ? null : node.thread;
    }

    public final boolean isQueued(Thread thread) {
        if (thread == null) {
            throw new NullPointerException();
        }
        observeQueue();
        enter();
        try {
            for (Node node = first; node != null; node = node.next) {
                if (node.thread == thread) {
                    return true;
                }
            }
            return false;
        } finally {
            leave();
        }
    }

    final boolean apparentlyFirstQueuedIsExclusive() {
        Node node = first;
        return node != null && !node.shared;
    }

    public final boolean hasQueuedPredecessors() {
        Node node = first;
        return node != null && node.thread != Thread.currentThread();
    }

    public final int getQueueLength() {
        return queued(true, true).size();
    }

    public final Collection<Thread> getQueuedThreads() {
        return queued(true, true);
    }

    public final Collection<Thread> getExclusiveQueuedThreads() {
        return queued(true, false);
    }

    public final Collection<Thread> getSharedQueuedThreads() {
        return queued(false, true);
    }

    private Collection<Thread> queued(boolean exclusive, boolean shared) {
        observeQueue();
        ArrayList<Thread> threads = new ArrayList<>();
        enter();
        try {
            for (Node node = first; node != null; node = node.next) {
                if (node.shared ? shared : exclusive) {
                    threads.add(node.thread);
                }
            }
        } finally {
            leave();
        }
        return threads;
    }

    public String toString() {
        return super.toString() + "[State = " + getState() + ", "
                + (hasQueuedThreads() ? "non" : "") + "empty queue]";
    }

    // Conditions.

    public final boolean owns(ConditionObject condition) {
        return condition.isOwnedBy(this);
    }

    public final boolean hasWaiters(ConditionObject condition) {
        return owned(condition).hasWaiters();
    }

    public final int getWaitQueueLength(ConditionObject condition) {
        return owned(condition).getWaitQueueLength();
    }

    public final Collection<Thread> getWaitingThreads(ConditionObject condition) {
        return owned(condition).getWaitingThreads();
    }

    private ConditionObject owned(ConditionObject condition) {
        if (!owns(condition)) {
            throw new IllegalArgumentException("Not owner");
        }
        return condition;
    }

    /** A condition of an exclusive lock. */
    public class ConditionObject implements Condition, java.io.Serializable {
        private static final long serialVersionUID = 1173984872572414699L;

        /** The threads that wait for it, the longest first. */
        private transient Node firstWaiter;

        public ConditionObject() {}

        final boolean isOwnedBy(AbstractQueuedSynchronizer sync) {
            return sync == AbstractQueuedSynchronizer.this;
        }

        private void checkHeld() {
            if (!isHeldExclusively()) {
                throw new IllegalMonitorStateException();
            }
        }

        private void signal(boolean all) {
            if (unordered(false, 1)) {
                enterSignal();
            } else {
                enter();
            }
            try {
                checkHeld();
                while (firstWaiter != null) {
                    Node node = firstWaiter;
                    firstWaiter = without(firstWaiter, node);
                    node.asleep = node.parks;
                    add(node);
                    if (!all) {
                        break;
                    }
                }
            } finally {
                leave();
            }
        }

        public final void signal() {
            signal(false);
        }

        public final void signalAll() {
            signal(true);
        }

        /** How a wait ended. */
        private static final int SIGNALLED = 0, WOKEN = 1, EXPIRED = 2;

        private int waitFor(boolean interruptible, long deadline, boolean timed) throws InterruptedException {
            if (interruptible && Thread.interrupted()) {
                throw new InterruptedException();
            }
            // A task of a pool parks, since the pool may put another thread in its place.
            boolean unordered = unordered(false, 1) && !(Thread.currentThread() instanceof ForkJoinWorkerThread);
            Node node = new Node(false);
            node.parks = !unordered;
            int held = 0;
            if (unordered) {
                enterRelease();
            } else {
                enter();
            }
            try {
                checkHeld();
                held = getState();
                if (!tryRelease(held)) {
                    throw new IllegalMonitorStateException();
                }
                firstWaiter = append(firstWaiter, node);
                wakeFirst();
            } finally {
                leave();
            }
            if (unordered) {
                return waitUnordered(node, held, interruptible, deadline, timed);
            }
            int ended = SIGNALLED;
            boolean interrupted = false;
            while (!node.queued) {
                interrupted |= Thread.interrupted();
                long rest = 0L;
                if (interrupted && interruptible) {
                    if (leaveCondition(node)) {
                        ended = WOKEN;
                        break;
                    }
                } else if (timed && (rest = deadline - System.nanoTime()) <= 0L) {
                    if (leaveCondition(node)) {
                        ended = EXPIRED;
                        break;
                    }
                } else if (timed) {
                    LockSupport.parkNanos(this, rest);
                } else {
                    interrupted |= sleep(node);
                }
            }
            // Who was not signalled is not in the queue, and comes like anybody else.
            AbstractQueuedSynchronizer.this.acquire(ended == SIGNALLED ? node : null, false, held, false, 0L, false);
            if (ended == WOKEN) {
                throw new InterruptedException();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return ended;
        }

        /** Waits for the condition, and then for the lock. */
        private int waitUnordered(Node node, int held, boolean interruptible, long deadline, boolean timed)
                throws InterruptedException {
            boolean interrupted = false;
            for (;;) {
                boolean stopped = interruptible && !interrupted && Thread.interrupted();
                long rest = 1L;
                if (!stopped && timed) {
                    rest = deadline - System.nanoTime();
                }
                if (stopped || rest <= 0L) {
                    if (leaveCondition(node)) {
                        acquireUnordered(false, held);
                        if (stopped) {
                            throw new InterruptedException();
                        }
                        return EXPIRED;
                    }
                    interrupted |= stopped;
                    timed = false;
                }
                if (waitOnce(node, held, interruptible && !interrupted, timed, deadline)) {
                    if (interrupted) {
                        Thread.currentThread().interrupt();
                    }
                    return SIGNALLED;
                }
            }
        }

        /**
         * Waits until the thread has been signalled and acquires, or has a reason to give up.
         *
         * @return whether it has acquired
         */
        private boolean waitOnce(Node node, int held, boolean interruptible, boolean timed, long deadline) {
            if (timed) {
                enterTimed();
            } else {
                enterAcquire();
            }
            if (node.queued) {
                if (first != node || !tryAcquire(held)) {
                    retry();
                }
                remove(node);
                leaveAcquired(true);
                return true;
            }
            if (!interruptible || !Thread.currentThread().isInterrupted()) {
                if (!timed) {
                    retry();
                }
                expire(deadline);
            }
            leave();
            return false;
        }

        /** Parks until the condition is signalled or the thread interrupted; whether it was, and the flag is cleared. */
        private boolean sleep(Node node) {
            LockSupport.setCurrentBlocker(this);
            try {
                if (Thread.currentThread() instanceof ForkJoinWorkerThread) {
                    ForkJoinPool.managedBlock(node);
                } else {
                    node.block();
                }
                return false;
            } catch (InterruptedException interrupted) {
                return true;
            } finally {
                LockSupport.setCurrentBlocker(null);
            }
        }

        /** Whether the thread still waited for the condition; now it does not. */
        private boolean leaveCondition(Node node) {
            enter();
            try {
                if (node.queued) {
                    return false;
                }
                firstWaiter = without(firstWaiter, node);
                return true;
            } finally {
                leave();
            }
        }

        public final void await() throws InterruptedException {
            waitFor(true, 0L, false);
        }

        public final void awaitUninterruptibly() {
            try {
                waitFor(false, 0L, false);
            } catch (InterruptedException impossible) {
                throw new Error(impossible);
            }
        }

        public final long awaitNanos(long nanos) throws InterruptedException {
            long deadline = deadline(Math.max(nanos, 0L));
            waitFor(true, deadline, true);
            long rest = deadline - System.nanoTime();
            return rest <= nanos ? rest : Long.MIN_VALUE;
        }

        public final boolean awaitUntil(Date date) throws InterruptedException {
            long millis = date.getTime() - System.currentTimeMillis();
            return await(millis, TimeUnit.MILLISECONDS);
        }

        public final boolean await(long time, TimeUnit unit) throws InterruptedException {
            long nanos = unit.toNanos(time);
            return waitFor(true, deadline(Math.max(nanos, 0L)), true) != EXPIRED;
        }

        protected final boolean hasWaiters() {
            return !waiting().isEmpty();
        }

        protected final int getWaitQueueLength() {
            return waiting().size();
        }

        protected final Collection<Thread> getWaitingThreads() {
            return waiting();
        }

        private Collection<Thread> waiting() {
            ArrayList<Thread> threads = new ArrayList<>();
            enter();
            try {
                checkHeld();
                for (Node node = firstWaiter; node != null; node = node.next) {
                    threads.add(node.thread);
                }
            } finally {
                leave();
            }
            return threads;
        }
    }
}
