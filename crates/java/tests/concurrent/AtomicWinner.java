// expect: holds
// outcomes: 1|2
// Of two compareAndSet exactly one succeeds.
import java.util.concurrent.atomic.AtomicInteger;

public class AtomicWinner {
    static final AtomicInteger WINNER = new AtomicInteger();
    static final AtomicInteger WINS = new AtomicInteger();

    static void race(int id) {
        if (WINNER.compareAndSet(0, id)) {
            WINS.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> race(1));
        Thread b = new Thread(() -> race(2));
        a.start();
        b.start();
        a.join();
        b.join();

        assert WINS.get() == 1;
        System.out.println(WINNER);
    }
}
