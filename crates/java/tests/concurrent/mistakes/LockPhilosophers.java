// expect: deadlock
// Two philosophers, two ReentrantLocks as forks, each taking the left one first.
import java.util.concurrent.locks.ReentrantLock;

public class LockPhilosophers {
    static final ReentrantLock LEFT = new ReentrantLock();
    static final ReentrantLock RIGHT = new ReentrantLock();

    static void eat(ReentrantLock first, ReentrantLock second) {
        first.lock();
        second.lock();
        second.unlock();
        first.unlock();
    }

    public static void main(String[] args) {
        new Thread(() -> eat(LEFT, RIGHT)).start();
        eat(RIGHT, LEFT);
    }
}
