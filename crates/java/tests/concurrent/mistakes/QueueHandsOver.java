// expect: holds
// outcomes: 1
// One thread puts into an ArrayBlockingQueue, one takes from it.
import java.util.concurrent.ArrayBlockingQueue;

public class QueueHandsOver {
    static final ArrayBlockingQueue<Integer> QUEUE = new ArrayBlockingQueue<>(1);

    public static void main(String[] args) throws Exception {
        new Thread(() -> QUEUE.add(1)).start();
        System.out.println(QUEUE.take());
    }
}
