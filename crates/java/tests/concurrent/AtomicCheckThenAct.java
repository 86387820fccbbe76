// expect: assertion
// Two atomic operations are not one.
import java.util.concurrent.atomic.AtomicInteger;

public class AtomicCheckThenAct {
    static final AtomicInteger TAKEN = new AtomicInteger();

    static void take() {
        if (TAKEN.get() < 1) {
            TAKEN.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> take());
        Thread b = new Thread(() -> take());
        a.start();
        b.start();
        a.join();
        b.join();
        assert TAKEN.get() == 1 : "taken " + TAKEN;
    }
}
