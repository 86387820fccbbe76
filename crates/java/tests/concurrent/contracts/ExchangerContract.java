// expect: holds
// outcomes: ba
// size: endless
// Exchanger: each of two threads gets what the other one gave.
import java.util.concurrent.Exchanger;

public class ExchangerContract {
    static final Exchanger<String> EXCHANGER = new Exchanger<>();
    static String got;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            try {
                got = EXCHANGER.exchange("a");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        a.start();
        String mine = EXCHANGER.exchange("b");
        a.join();
        System.out.println(got + mine);
    }
}
