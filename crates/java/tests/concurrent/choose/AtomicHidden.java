// expect: holds
// outcomes: 0|2
// Nobody sees the middle of an atomic section, not even from outside of sections. (On a plain virtual machine 1 may be seen.)
import allways.Choose;

public class AtomicHidden {
    static volatile int x;
    static int seen;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> Choose.atomically(() -> {
            x = 1;
            x = 2;
        }));
        Thread b = new Thread(() -> seen = x);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(seen);
    }
}
