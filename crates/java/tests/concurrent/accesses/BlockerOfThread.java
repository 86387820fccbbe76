// expect: holds
// outcomes: false|true
import java.util.concurrent.locks.LockSupport;

/** What a thread is parked on can be seen only while it parks, here without waiting. */
public class BlockerOfThread {
    public static void main(String[] args) throws InterruptedException {
        Thread parked = new Thread(() -> {
            LockSupport.unpark(Thread.currentThread());
            LockSupport.park("reason");
        });
        parked.start();
        boolean seen = LockSupport.getBlocker(parked) != null;
        parked.join();
        System.out.println(seen);
    }
}
