// expect: holds
// outcomes: -123|-132|-312|1-23|1-32|3-12
// ConcurrentLinkedQueue: one thread adds 1 and 2, one adds 3, and main polls in between; nothing is lost or seen twice, and 1 comes before 2.
import java.util.concurrent.ConcurrentLinkedQueue;

public class LockFreeQueueContract {
    static final ConcurrentLinkedQueue<Integer> QUEUE = new ConcurrentLinkedQueue<>();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            QUEUE.add(1);
            QUEUE.add(2);
        });
        Thread b = new Thread(() -> QUEUE.add(3));
        a.start();
        b.start();
        Integer early = QUEUE.poll();
        a.join();
        b.join();
        String rest = early == null ? "-" : early + "-";
        for (Integer item = QUEUE.poll(); item != null; item = QUEUE.poll()) {
            rest += item;
        }
        System.out.println(rest);
    }
}
