// expect: assertion
// CompletableFuture used wrongly: complete says whether it won, and nobody listens.
import java.util.concurrent.CompletableFuture;

public class CompletableUnchecked {
    static final CompletableFuture<String> WINNER = new CompletableFuture<>();

    static void claim(String name) {
        WINNER.complete(name);
        assert WINNER.join().equals(name);
    }

    public static void main(String[] args) {
        new Thread(() -> claim("a")).start();
        claim("b");
    }
}
