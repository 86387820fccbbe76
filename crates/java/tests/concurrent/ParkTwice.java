// expect: deadlock
// Permits do not add up: two may be given before the first is used.
import java.util.concurrent.locks.LockSupport;

public class ParkTwice {
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            LockSupport.park();
            LockSupport.park();
        });
        a.start();
        LockSupport.unpark(a);
        LockSupport.unpark(a);
        a.join();
    }
}
