// expect: deadlock
// A future that nobody completes.
import java.util.concurrent.CompletableFuture;

public class CompletableForgotten {
    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> never = new CompletableFuture<>();
        Thread a = new Thread(() -> never.join());
        a.start();
        a.join();
    }
}
