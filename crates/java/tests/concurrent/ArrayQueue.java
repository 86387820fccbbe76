// expect: holds
// outcomes: 12
// A bounded queue keeps the order of one producer.
import java.util.concurrent.ArrayBlockingQueue;

public class ArrayQueue {
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
        int second = QUEUE.take();
        a.join();
        System.out.println("" + first + second);
    }
}
