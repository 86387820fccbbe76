// expect: deadlock
// Two threads take two permits each, one after the other, where there are two in all.
import java.util.concurrent.Semaphore;

public class SemaphorePieces {
    static final Semaphore PERMITS = new Semaphore(2);

    static void two() {
        PERMITS.acquireUninterruptibly();
        PERMITS.acquireUninterruptibly();
        PERMITS.release(2);
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> two());
        Thread b = new Thread(() -> two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
