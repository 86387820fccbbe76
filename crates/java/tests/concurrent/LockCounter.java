// expect: holds
// outcomes: 2
// Increments under a ReentrantLock.
import java.util.concurrent.locks.ReentrantLock;

public class LockCounter {
    static final ReentrantLock LOCK = new ReentrantLock();
    static int counter;

    static void add() {
        LOCK.lock();
        try {
            counter++;
        } finally {
            LOCK.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> add());
        Thread b = new Thread(() -> add());
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(counter);
    }
}
