// expect: holds
// outcomes: ab|ba
// ConcurrentLinkedQueue with two producers.
import java.util.concurrent.ConcurrentLinkedQueue;

public class LockFreeQueue {
    static final ConcurrentLinkedQueue<String> QUEUE = new ConcurrentLinkedQueue<>();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> QUEUE.add("a"));
        Thread b = new Thread(() -> QUEUE.add("b"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(QUEUE.poll() + QUEUE.poll());
    }
}
