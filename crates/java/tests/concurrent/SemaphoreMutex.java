// expect: holds
// outcomes: 2
// A semaphore with one permit as a lock.
import java.util.concurrent.Semaphore;

public class SemaphoreMutex {
    static final Semaphore PERMIT = new Semaphore(1);
    static int counter;

    static void add() {
        PERMIT.acquireUninterruptibly();
        counter++;
        PERMIT.release();
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
