// expect: holds
// outcomes: 2
// Increments in atomic sections are not lost.
import allways.Choose;

public class AtomicSections {
    static int counter;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> Choose.atomically(() -> counter++));
        Thread b = new Thread(() -> {
            Choose.beginAtomic();
            counter++;
            Choose.endAtomic();
        });
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(counter);
    }
}
