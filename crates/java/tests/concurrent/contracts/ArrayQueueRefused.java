// expect: assertion
// ArrayBlockingQueue used wrongly: offer may say no, and the item is lost.
import java.util.concurrent.ArrayBlockingQueue;

public class ArrayQueueRefused {
    static final ArrayBlockingQueue<Integer> QUEUE = new ArrayBlockingQueue<>(1);

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            QUEUE.offer(1);
            QUEUE.offer(2);
        });
        a.start();
        int first = QUEUE.take();
        a.join();
        assert first == 1 && QUEUE.size() == 1 : "an item is lost";
    }
}
