// expect: deadlock
// Two ReentrantLocks taken in opposite order.
import java.util.concurrent.locks.ReentrantLock;

public class LockDeadlock {
    static final ReentrantLock LEFT = new ReentrantLock();
    static final ReentrantLock RIGHT = new ReentrantLock();

    static void both(ReentrantLock first, ReentrantLock second) {
        first.lock();
        second.lock();
        second.unlock();
        first.unlock();
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> both(LEFT, RIGHT));
        Thread b = new Thread(() -> both(RIGHT, LEFT));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
