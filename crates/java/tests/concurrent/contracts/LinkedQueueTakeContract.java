// expect: holds
// outcomes: 1
// LinkedBlockingQueue: take waits for an item, and takes it away.
import java.util.concurrent.LinkedBlockingQueue;

public class LinkedQueueTakeContract {
    static final LinkedBlockingQueue<Integer> QUEUE = new LinkedBlockingQueue<>();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> QUEUE.add(1));
        a.start();
        int got = QUEUE.take();
        a.join();
        assert QUEUE.isEmpty();
        System.out.println(got);
    }
}
