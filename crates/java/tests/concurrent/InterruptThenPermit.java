// expect: holds
// outcomes: parked|parked early
// The flag is seen before the permit to park comes: one park ends for the flag, and the next for the permit.
import java.util.concurrent.locks.LockSupport;

public class InterruptThenPermit {
    static volatile boolean here;
    static volatile boolean ready;

    public static void main(String[] args) {
        Thread a = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.yield();
            }
            LockSupport.park();
            Thread.interrupted();
            here = true;
            LockSupport.park();
            System.out.println(ready ? "parked" : "parked early");
        });
        a.start();
        a.interrupt();
        while (!here) {
            Thread.yield();
        }
        ready = true;
        LockSupport.unpark(a);
    }
}
