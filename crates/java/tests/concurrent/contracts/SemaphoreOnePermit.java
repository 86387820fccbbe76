// expect: holds
// outcomes: ab|ba
// Semaphore of one permit: one thread at a time is inside, and who comes after sees what was written before.
import java.util.concurrent.Semaphore;

public class SemaphoreOnePermit {
    static final Semaphore PERMIT = new Semaphore(1);
    static boolean inside;
    static String order = "";

    static void enter(String name) {
        PERMIT.acquireUninterruptibly();
        assert !inside;
        inside = true;
        order += name;
        inside = false;
        PERMIT.release();
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> enter("a"));
        a.start();
        enter("b");
        a.join();
        assert PERMIT.availablePermits() == 1;
        System.out.println(order);
    }
}
