// expect: deadlock
// A factory that starts the thread itself. The pool rejects the thread and does not know it, so that a shutdown may leave
// it waiting for tasks.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class ExecutorStartedThread {
    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(1, worker -> {
            Thread thread = new Thread(worker);
            thread.start();
            return thread;
        });
        try {
            pool.execute(() -> { });
        } catch (IllegalThreadStateException e) {
            System.out.println("rejected");
        }
        pool.shutdown();
    }
}
