// expect: exception java.lang.IllegalMonitorStateException
// A thread unlocks what another one has locked.
import java.util.concurrent.locks.ReentrantLock;

public class UnlockUnowned {
    static final ReentrantLock LOCK = new ReentrantLock();

    public static void main(String[] args) throws Exception {
        LOCK.lock();
        Thread a = new Thread(() -> LOCK.unlock());
        a.start();
        a.join();
        LOCK.unlock();
    }
}
