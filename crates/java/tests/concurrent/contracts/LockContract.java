// expect: holds
// outcomes: ab|ba
// ReentrantLock: one thread at a time is inside, also if it locks twice; the lock is free after as many unlocks and no sooner.
import java.util.concurrent.locks.ReentrantLock;

public class LockContract {
    static final ReentrantLock LOCK = new ReentrantLock();
    static boolean inside;
    static String order = "";

    static void enter(String name) {
        LOCK.lock();
        assert !inside;
        inside = true;
        LOCK.lock();
        order += name;
        LOCK.unlock();
        assert LOCK.isHeldByCurrentThread();
        inside = false;
        LOCK.unlock();
        assert !LOCK.isHeldByCurrentThread();
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> enter("a"));
        a.start();
        enter("b");
        a.join();
        assert !LOCK.isLocked();
        System.out.println(order);
    }
}
