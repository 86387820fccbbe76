// expect: holds
// outcomes: 12
// Condition: await gives up the lock, however often it was taken, and has it back as often when it returns; a signal under the lock is not lost.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionContract {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition CHANGED = LOCK.newCondition();
    static String order = "";

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            LOCK.lock();
            order += "1";
            CHANGED.signal();
            LOCK.unlock();
        });
        a.start();
        LOCK.lock();
        LOCK.lock();
        while (order.isEmpty()) {
            CHANGED.await();
        }
        assert LOCK.getHoldCount() == 2;
        order += "2";
        LOCK.unlock();
        LOCK.unlock();
        System.out.println(order);
    }
}
