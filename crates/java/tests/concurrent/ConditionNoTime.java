// expect: holds
// outcomes: in time false|in time true|interrupted
// A wait of no length still gives up the lock for a moment, and may be interrupted then.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionNoTime {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition CONDITION = LOCK.newCondition();
    static boolean waits;

    public static void main(String[] args) {
        Thread a = new Thread(() -> {
            LOCK.lock();
            try {
                waits = true;
                CONDITION.awaitNanos(0);
                System.out.println("in time " + Thread.currentThread().isInterrupted());
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            } finally {
                LOCK.unlock();
            }
        });
        a.start();
        LOCK.lock();
        if (waits) {
            a.interrupt();
        }
        LOCK.unlock();
    }
}
