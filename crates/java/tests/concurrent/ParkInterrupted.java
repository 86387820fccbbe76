// expect: holds
// outcomes: true
// An interrupt ends a park and stays set.
import java.util.concurrent.locks.LockSupport;

public class ParkInterrupted {
    static boolean seen;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
            }
            seen = Thread.interrupted();
        });
        a.start();
        a.interrupt();
        a.join();
        System.out.println(seen);
    }
}
