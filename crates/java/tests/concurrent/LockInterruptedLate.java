// expect: holds
// outcomes: interrupted false|locked true
// Who is interrupted in the queue may get the lock all the same, and finds the flag set.
import java.util.concurrent.locks.ReentrantLock;

public class LockInterruptedLate {
    static final ReentrantLock LOCK = new ReentrantLock();

    public static void main(String[] args) {
        LOCK.lock();
        Thread a = new Thread(() -> {
            try {
                LOCK.lockInterruptibly();
                System.out.println("locked " + Thread.currentThread().isInterrupted());
                LOCK.unlock();
            } catch (InterruptedException e) {
                System.out.println("interrupted " + Thread.currentThread().isInterrupted());
            }
        });
        a.start();
        while (!LOCK.hasQueuedThread(a)) {
            Thread.yield();
        }
        a.interrupt();
        LOCK.unlock();
    }
}
