// expect: holds
// outcomes: 1|2
// Two threads complete one future; the first wins.
import java.util.concurrent.CompletableFuture;

public class CompletableRace {
    static final CompletableFuture<Integer> FUTURE = new CompletableFuture<>();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> FUTURE.complete(1));
        Thread b = new Thread(() -> FUTURE.complete(2));
        a.start();
        b.start();
        int got = FUTURE.join();
        a.join();
        b.join();
        assert got == FUTURE.join();
        System.out.println(got);
    }
}
