// expect: holds
// outcomes: a3|b3
// CompletableFuture: of two that complete it one wins and is told so; a dependent combination of two futures runs once, when both are there.
import java.util.concurrent.CompletableFuture;

public class CompletableContract {
    static final CompletableFuture<String> WINNER = new CompletableFuture<>();
    static final CompletableFuture<Integer> LEFT = new CompletableFuture<>();
    static final CompletableFuture<Integer> RIGHT = new CompletableFuture<>();
    static boolean won;
    static int runs;

    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> both = LEFT.thenCombine(RIGHT, (left, right) -> {
            runs++;
            return left + right;
        });
        Thread a = new Thread(() -> {
            LEFT.complete(1);
            won = WINNER.complete("a");
        });
        a.start();
        RIGHT.complete(2);
        boolean mine = WINNER.complete("b");
        int sum = both.join();
        a.join();
        assert won != mine;
        assert runs == 1;
        assert WINNER.join().equals(mine ? "b" : "a");
        System.out.println(WINNER.join() + sum);
    }
}
