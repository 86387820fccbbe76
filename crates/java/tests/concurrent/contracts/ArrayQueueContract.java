// expect: holds
// outcomes: 12
// size: large
// ArrayBlockingQueue with one place: put waits for a place, take for an item; nothing is lost and the order is kept.
import java.util.concurrent.ArrayBlockingQueue;

public class ArrayQueueContract {
    static final ArrayBlockingQueue<Integer> QUEUE = new ArrayBlockingQueue<>(1);

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            try {
                QUEUE.put(1);
                QUEUE.put(2);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        a.start();
        int first = QUEUE.take();
        assert QUEUE.size() <= 1;
        int second = QUEUE.take();
        assert QUEUE.isEmpty();
        System.out.println("" + first + second);
    }
}
