// expect: holds
// outcomes: 1|null
// One thread adds to a ConcurrentLinkedQueue, one polls it.
import java.util.concurrent.ConcurrentLinkedQueue;

public class LockFreeHandsOver {
    static final ConcurrentLinkedQueue<Integer> QUEUE = new ConcurrentLinkedQueue<>();

    public static void main(String[] args) {
        new Thread(() -> QUEUE.add(1)).start();
        System.out.println(QUEUE.poll());
    }
}
