// expect: assertion
// ThreadPoolExecutor used wrongly: a task is handed over, and its effect is looked at without waiting for it.
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

public class PoolForgotten {
    static volatile boolean done;

    public static void main(String[] args) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread worker = new Thread(task);
            worker.setDaemon(true);
            return worker;
        });
        pool.execute(() -> done = true);
        assert done;
    }
}
