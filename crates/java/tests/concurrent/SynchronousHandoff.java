// expect: holds
// outcomes: 5
// A value goes from hand to hand.
import java.util.concurrent.SynchronousQueue;

public class SynchronousHandoff {
    static final SynchronousQueue<Integer> QUEUE = new SynchronousQueue<>();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            try {
                QUEUE.put(5);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        a.start();
        int got = QUEUE.take();
        a.join();
        System.out.println(got);
    }
}
