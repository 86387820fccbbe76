// expect: holds
// outcomes: ab|ba
// Two producers, in either order.
import java.util.concurrent.LinkedBlockingQueue;

public class LinkedQueue {
    static final LinkedBlockingQueue<String> QUEUE = new LinkedBlockingQueue<>();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> QUEUE.add("a"));
        Thread b = new Thread(() -> QUEUE.add("b"));
        a.start();
        b.start();
        String first = QUEUE.take();
        String second = QUEUE.take();
        a.join();
        b.join();
        System.out.println(first + second);
    }
}
