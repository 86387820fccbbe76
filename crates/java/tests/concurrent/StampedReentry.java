// expect: deadlock
// A StampedLock is not reentrant.
import java.util.concurrent.locks.StampedLock;

public class StampedReentry {
    static final StampedLock LOCK = new StampedLock();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            LOCK.writeLock();
            LOCK.writeLock();
        });
        a.start();
        a.join();
    }
}
