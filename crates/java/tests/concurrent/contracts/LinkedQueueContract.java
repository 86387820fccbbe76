// expect: holds
// outcomes: 12
// size: large
// LinkedBlockingQueue: take waits for an item; nothing is lost and the order is kept.
import java.util.concurrent.LinkedBlockingQueue;

public class LinkedQueueContract {
    static final LinkedBlockingQueue<Integer> QUEUE = new LinkedBlockingQueue<>();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            QUEUE.add(1);
            QUEUE.add(2);
        });
        a.start();
        int first = QUEUE.take();
        int second = QUEUE.take();
        assert QUEUE.isEmpty();
        System.out.println("" + first + second);
    }
}
