// expect: holds
// outcomes: interrupted
// A thread is interrupted while it waits for a lock that stays taken.
import java.util.concurrent.locks.ReentrantLock;

public class LockInterruptibly {
    static final ReentrantLock LOCK = new ReentrantLock();
    static String result = "none";

    public static void main(String[] args) throws Exception {
        LOCK.lock();
        Thread a = new Thread(() -> {
            try {
                LOCK.lockInterruptibly();
                result = "locked";
                LOCK.unlock();
            } catch (InterruptedException e) {
                result = "interrupted";
            }
        });
        a.start();
        a.interrupt();
        a.join();
        LOCK.unlock();
        System.out.println(result);
    }
}
