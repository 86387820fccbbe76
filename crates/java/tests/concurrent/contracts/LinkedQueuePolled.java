// expect: exception java.lang.NullPointerException
// LinkedBlockingQueue used wrongly: poll does not wait, and what it gives is used as if there always were something.
import java.util.concurrent.LinkedBlockingQueue;

public class LinkedQueuePolled {
    static final LinkedBlockingQueue<Integer> QUEUE = new LinkedBlockingQueue<>();

    public static void main(String[] args) {
        new Thread(() -> QUEUE.add(1)).start();
        int got = QUEUE.poll();
        assert got == 1;
    }
}
