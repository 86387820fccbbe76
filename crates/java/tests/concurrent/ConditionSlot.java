// expect: holds
// outcomes: 12
// A one-place buffer with two conditions.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionSlot {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition FULL = LOCK.newCondition();
    static final Condition FREE = LOCK.newCondition();
    static int slot;

    static void put(int v) throws InterruptedException {
        LOCK.lock();
        try {
            while (slot != 0) {
                FREE.await();
            }
            slot = v;
            FULL.signal();
        } finally {
            LOCK.unlock();
        }
    }

    static int take() throws InterruptedException {
        LOCK.lock();
        try {
            while (slot == 0) {
                FULL.await();
            }
            int v = slot;
            slot = 0;
            FREE.signal();
            return v;
        } finally {
            LOCK.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            try {
                put(1);
                put(2);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        a.start();
        int first = take();
        int second = take();
        a.join();
        System.out.println("" + first + second);
    }
}
