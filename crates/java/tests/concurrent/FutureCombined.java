// expect: holds
// outcomes: 42
import java.util.concurrent.CompletableFuture;

/** Two futures of the common pool, combined. */
public class FutureCombined {
    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> a = CompletableFuture.supplyAsync(() -> 40);
        CompletableFuture<Integer> b = CompletableFuture.supplyAsync(() -> 2);
        System.out.println(a.thenCombine(b, Integer::sum).get());
    }
}
