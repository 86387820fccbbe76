// expect: holds
// outcomes: woken|woken early
// A release may wake a thread that has found the lock free before it went to sleep: then its next park ends at once.
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

public class LockLeavesPermit {
    static final ReentrantLock LOCK = new ReentrantLock();
    static volatile boolean here;
    static volatile boolean ready;

    public static void main(String[] args) {
        Thread a = new Thread(() -> {
            LOCK.lock();
            LOCK.unlock();
            here = true;
            LockSupport.park();
            System.out.println(ready ? "woken" : "woken early");
        });
        LOCK.lock();
        a.start();
        LOCK.unlock();
        while (!here) {
            Thread.yield();
        }
        ready = true;
        LockSupport.unpark(a);
    }
}
