// expect: holds
// outcomes: in time 0|late 0
// What a timed wait for a condition has left at its end is nothing, or less.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionLate {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition never = lock.newCondition();
        lock.lock();
        try {
            long left = never.awaitNanos(1_000_000);
            System.out.println((left < 0 ? "late " : "in time ") + Math.max(left, 0));
        } finally {
            lock.unlock();
        }
    }
}
