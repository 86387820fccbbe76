// expect: deadlock
// A pool that is not shut down: its idle thread keeps the program from ending.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class ExecutorForgotten {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.submit(() -> 1).get();
    }
}
