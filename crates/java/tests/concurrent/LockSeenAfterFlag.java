// expect: holds
// outcomes: false|true
// A lock is held when the flag is set, and a thread that has seen the flag can see that too.
import java.util.concurrent.locks.ReentrantLock;

public class LockSeenAfterFlag {
    static final ReentrantLock LOCK = new ReentrantLock();
    static volatile boolean flag;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            LOCK.lock();
            flag = true;
            LOCK.unlock();
        });
        a.start();
        while (!flag) {
            Thread.onSpinWait();
        }
        System.out.println(LOCK.tryLock());
    }
}
