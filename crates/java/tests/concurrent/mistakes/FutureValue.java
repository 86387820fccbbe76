// expect: holds
// outcomes: 6
// A task in the thread of an executor, and its value.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class FutureValue {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor(task -> {
            Thread worker = new Thread(task);
            worker.setDaemon(true);
            return worker;
        });
        System.out.println(pool.submit(() -> 6).get());
    }
}
