// expect: holds
// outcomes: 30
// A chain hung on a future that another thread completes: it runs once, in either thread.
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

public class CompletableChain {
    static final CompletableFuture<Integer> FUTURE = new CompletableFuture<>();
    static final AtomicInteger RUNS = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> FUTURE.complete(10));
        a.start();
        CompletableFuture<Integer> chain = FUTURE.thenApply(x -> {
            RUNS.incrementAndGet();
            return x * 3;
        });
        int got = chain.join();
        a.join();
        assert RUNS.get() == 1;
        System.out.println(got);
    }
}
