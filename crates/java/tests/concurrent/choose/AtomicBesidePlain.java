// expect: holds
// outcomes: 00|01|11
// An atomic section of one thread lies before, between or behind two plain reads of another.
import allways.Choose;

public class AtomicBesidePlain {
    static int x;
    static int first;
    static int second;

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> Choose.atomically(() -> x++));
        Thread reader = new Thread(() -> {
            first = x;
            second = x;
        });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        System.out.println(first + "" + second);
    }
}
