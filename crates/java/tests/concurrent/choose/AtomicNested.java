// expect: holds
// outcomes: 0|3
// The outermost section counts.
import allways.Choose;

public class AtomicNested {
    static volatile int x;
    static int seen;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> Choose.atomically(() -> {
            x = 1;
            Choose.atomically(() -> x = 2);
            x = 3;
        }));
        Thread b = new Thread(() -> Choose.atomically(() -> seen = x));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(seen);
    }
}
