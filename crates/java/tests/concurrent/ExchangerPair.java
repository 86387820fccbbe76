// expect: holds
// outcomes: ba
// Two threads exchange values.
import java.util.concurrent.Exchanger;

public class ExchangerPair {
    static final Exchanger<String> EXCHANGER = new Exchanger<>();
    static String gotA;
    static String gotB;

    static String exchange(String s) {
        try {
            return EXCHANGER.exchange(s);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> gotA = exchange("a"));
        Thread b = new Thread(() -> gotB = exchange("b"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(gotA + gotB);
    }
}
