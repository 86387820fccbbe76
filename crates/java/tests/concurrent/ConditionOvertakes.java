// expect: holds
// outcomes: interrupted first|queued first
// Who is interrupted while it waits for a condition comes to the lock like anybody else, and may be faster than who is in the queue.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionOvertakes {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition CONDITION = LOCK.newCondition();
    static String first;

    public static void main(String[] args) throws Exception {
        Thread waiter = new Thread(() -> {
            LOCK.lock();
            try {
                CONDITION.await();
            } catch (InterruptedException e) {
                first = first == null ? "interrupted first" : first;
            } finally {
                LOCK.unlock();
            }
        });
        Thread queued = new Thread(() -> {
            LOCK.lock();
            first = first == null ? "queued first" : first;
            LOCK.unlock();
        });
        waiter.start();
        for (boolean waits = false; !waits; ) {
            LOCK.lock();
            waits = LOCK.hasWaiters(CONDITION);
            if (waits) {
                queued.start();
                while (!LOCK.hasQueuedThread(queued)) {
                    Thread.yield();
                }
                waiter.interrupt();
            }
            LOCK.unlock();
        }
        queued.join();
        waiter.join();
        System.out.println(first);
    }
}
