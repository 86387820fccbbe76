// expect: holds
// outcomes: done
// Two threads take two permits each at once.
import java.util.concurrent.Semaphore;

public class SemaphoreTogether {
    static final Semaphore PERMITS = new Semaphore(2);

    static void two() {
        PERMITS.acquireUninterruptibly(2);
        PERMITS.release(2);
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> two());
        Thread b = new Thread(() -> two());
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("done");
    }
}
