// expect: deadlock
// A bounded queue that nobody empties.
import java.util.concurrent.ArrayBlockingQueue;

public class ArrayQueueFull {
    static final ArrayBlockingQueue<Integer> QUEUE = new ArrayBlockingQueue<>(1);

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            try {
                QUEUE.put(1);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        a.start();
        QUEUE.put(2);
        a.join();
    }
}
