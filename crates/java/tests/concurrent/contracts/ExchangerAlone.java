// expect: deadlock
// Exchanger used wrongly: a thread has nobody to exchange with, since the other one ends first.
import java.util.concurrent.Exchanger;

public class ExchangerAlone {
    static final Exchanger<String> EXCHANGER = new Exchanger<>();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> { });
        a.start();
        EXCHANGER.exchange("main");
    }
}
