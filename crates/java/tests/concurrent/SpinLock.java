// expect: holds
// outcomes: 2
// A spin lock made of compareAndSet.
import java.util.concurrent.atomic.AtomicBoolean;

public class SpinLock {
    static final AtomicBoolean LOCKED = new AtomicBoolean();
    static int counter;

    static void add() {
        while (!LOCKED.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
        counter++;
        LOCKED.set(false);
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
