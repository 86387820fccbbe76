// expect: holds
// outcomes: a|null
// poll does not wait.
import java.util.concurrent.LinkedBlockingQueue;

public class LinkedQueuePoll {
    static final LinkedBlockingQueue<String> QUEUE = new LinkedBlockingQueue<>();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> QUEUE.add("a"));
        a.start();
        String got = QUEUE.poll();
        a.join();
        System.out.println(got);
    }
}
