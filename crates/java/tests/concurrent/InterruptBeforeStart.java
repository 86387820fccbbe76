// expect: deadlock
// A thread that does not run yet has its flag set, and gets no permit to park.
import java.util.concurrent.locks.LockSupport;

public class InterruptBeforeStart {
    public static void main(String[] args) {
        Thread a = new Thread(() -> {
            if (Thread.interrupted()) {
                LockSupport.park();
            }
        });
        a.interrupt();
        a.start();
    }
}
