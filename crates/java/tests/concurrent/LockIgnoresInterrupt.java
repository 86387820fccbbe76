// expect: holds
// outcomes: locked true
// lock() goes on waiting when it is interrupted, and keeps the flag.
import java.util.concurrent.locks.ReentrantLock;

public class LockIgnoresInterrupt {
    static final ReentrantLock LOCK = new ReentrantLock();
    static String result = "none";

    public static void main(String[] args) throws Exception {
        LOCK.lock();
        Thread a = new Thread(() -> {
            LOCK.lock();
            result = "locked " + Thread.currentThread().isInterrupted();
            LOCK.unlock();
        });
        a.start();
        a.interrupt();
        LOCK.unlock();
        a.join();
        System.out.println(result);
    }
}
