// expect: holds
// outcomes: false|true
// tryLock with a time limit on a lock that is given free.
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

public class TryLockTimed {
    static final ReentrantLock LOCK = new ReentrantLock();
    static boolean had;

    public static void main(String[] args) throws Exception {
        LOCK.lock();
        Thread a = new Thread(() -> {
            try {
                had = LOCK.tryLock(10, TimeUnit.MILLISECONDS);
                if (had) {
                    LOCK.unlock();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        a.start();
        LOCK.unlock();
        a.join();
        System.out.println(had);
    }
}
