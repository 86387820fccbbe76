// CompletableFuture chains that are complete from the start or completed by hand.
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

public class CompletableFutures {
    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> c = CompletableFuture.completedFuture(5);
        System.out.println(c.thenApply(x -> x * 2).thenCompose(x -> CompletableFuture.completedFuture(x + 1)).thenCombine(c, Integer::sum).get());
        c.thenAccept(x -> System.out.println("accept " + x)).thenRun(() -> System.out.println("run")).join();
        System.out.println(c.handle((x, e) -> x + " " + e).join() + " " + c.whenComplete((x, e) -> System.out.println("when " + x + e)).isDone());
        CompletableFuture<String> f = new CompletableFuture<>();
        CompletableFuture<Integer> length = f.thenApply(String::length);
        System.out.println(f.isDone() + " " + length.isDone() + " " + f.getNow("absent"));
        System.out.println(f.complete("hello") + " " + f.complete("again") + " " + length.get() + " " + f.join());
        CompletableFuture<Integer> bad = CompletableFuture.failedFuture(new IllegalStateException("bad"));
        System.out.println(bad.exceptionally(e -> -1).join() + " " + bad.handle((x, e) -> e.getMessage()).join() + " " + bad.isCompletedExceptionally());
        try {
            bad.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage());
        }
        try {
            c.thenApply(x -> x / 0).thenApply(x -> x + 1).join();
        } catch (CompletionException e) {
            System.out.println(e.getMessage() + " | " + e.getCause());
        }
        CompletableFuture<Integer> a = new CompletableFuture<>();
        CompletableFuture<Integer> b = new CompletableFuture<>();
        CompletableFuture<Void> all = CompletableFuture.allOf(a, b);
        CompletableFuture<Object> any = CompletableFuture.anyOf(a, b);
        CompletableFuture<String> either = a.applyToEither(b, x -> "either " + x);
        b.complete(2);
        System.out.println(all.isDone() + " " + any.join() + " " + either.join());
        a.complete(1);
        System.out.println(all.isDone() + " " + a.thenAcceptBoth(b, (x, y) -> System.out.println(x + y)).isDone());
        CompletableFuture<Integer> cancelled = new CompletableFuture<>();
        System.out.println(cancelled.cancel(true) + " " + cancelled.isCancelled());
        try {
            cancelled.join();
        } catch (CancellationException e) {
            System.out.println("cancelled");
        }
        CompletableFuture<Integer> x = new CompletableFuture<>();
        x.completeExceptionally(new Exception("by hand"));
        try {
            x.join();
        } catch (CompletionException e) {
            System.out.println(e.getCause().getMessage());
        }
        System.out.println(CompletableFuture.completedStage("stage").toCompletableFuture().join() + " " + c.copy().join());
    }
}
