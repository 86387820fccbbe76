// expect: holds
// outcomes: woken
// One thread awaits a Condition, one signals it; both hold the lock.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionWakes {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition READY = LOCK.newCondition();
    static boolean ready;

    public static void main(String[] args) throws Exception {
        new Thread(() -> {
            LOCK.lock();
            ready = true;
            READY.signal();
            LOCK.unlock();
        }).start();
        LOCK.lock();
        while (!ready) {
            READY.await();
        }
        LOCK.unlock();
        System.out.println("woken");
    }
}
