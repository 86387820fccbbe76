// expect: holds
// outcomes: caught 1|caught 2
// An exception ends an atomic section; after it others run again between any two steps.
import allways.Choose;

public class AtomicException {
    static int counter;
    static String result = "none";

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> {
            try {
                Choose.atomically(() -> {
                    throw new IllegalStateException();
                });
            } catch (IllegalStateException e) {
                result = "caught";
            }
            counter++;
        });
        Thread b = new Thread(() -> counter++);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(result + " " + counter);
    }
}
