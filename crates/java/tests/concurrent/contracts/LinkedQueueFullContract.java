// expect: holds
// outcomes: 1
// LinkedBlockingQueue with one place: put waits until a place is free, and then puts.
import java.util.concurrent.LinkedBlockingQueue;

public class LinkedQueueFullContract {
    static final LinkedBlockingQueue<Integer> QUEUE = new LinkedBlockingQueue<>(1);

    public static void main(String[] args) throws Exception {
        QUEUE.add(1);
        Thread a = new Thread(() -> {
            try {
                QUEUE.put(2);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        a.start();
        int first = QUEUE.take();
        a.join();
        assert QUEUE.peek() == 2 && QUEUE.size() == 1;
        System.out.println(first);
    }
}
