// expect: holds
// outcomes: 1
// The initialiser of a class fails in one of two threads; the other one gets NoClassDefFoundError.
import java.util.concurrent.atomic.AtomicInteger;

public class ClassInitFails {
    static final AtomicInteger FIRST = new AtomicInteger();
    static final AtomicInteger LATER = new AtomicInteger();

    static final class Bad {
        static int value = Integer.parseInt("x");
    }

    static void use() {
        try {
            System.out.println(Bad.value);
        } catch (ExceptionInInitializerError e) {
            FIRST.incrementAndGet();
        } catch (NoClassDefFoundError e) {
            LATER.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> use());
        Thread b = new Thread(() -> use());
        a.start();
        b.start();
        a.join();
        b.join();

        assert LATER.get() == 1;
        System.out.println(FIRST);
    }
}
