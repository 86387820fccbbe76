// expect: holds
// outcomes: 2
// An assumption that fails in another thread drops the whole run.
import allways.Choose;

public class AssumeInThread {
    static volatile int counter;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> counter++);
        Thread b = new Thread(() -> counter++);
        a.start();
        b.start();
        a.join();
        b.join();
        Thread c = new Thread(() -> Choose.assume(counter == 2));
        c.start();
        c.join();
        System.out.println(counter);
    }
}
