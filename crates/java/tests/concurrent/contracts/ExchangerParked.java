// expect: holds
// outcomes: ba
// Exchanger: a thread that comes first and sleeps is woken by the second one, and each gets what the other one gave. That the first
// one sleeps is waited for: while it spins, it draws random numbers, and there is no end of states.
import java.util.concurrent.Exchanger;

public class ExchangerParked {
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
        while (a.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        String mine = EXCHANGER.exchange("b");
        a.join();
        System.out.println(got + mine);
    }
}
