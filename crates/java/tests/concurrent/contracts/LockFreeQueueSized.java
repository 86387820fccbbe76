// expect: assertion
// ConcurrentLinkedQueue used wrongly: looking whether it is empty and adding are two steps, so two threads may both add.
import java.util.concurrent.ConcurrentLinkedQueue;

public class LockFreeQueueSized {
    static final ConcurrentLinkedQueue<Integer> QUEUE = new ConcurrentLinkedQueue<>();

    static void addIfEmpty(int item) {
        if (QUEUE.isEmpty()) {
            QUEUE.add(item);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> addIfEmpty(1));
        a.start();
        addIfEmpty(2);
        a.join();
        assert QUEUE.size() == 1;
    }
}
