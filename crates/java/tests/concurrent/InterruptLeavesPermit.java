// expect: holds
// outcomes: true, parked once
// To be interrupted lets a thread go on that parks, also if the flag is cleared before it does.
import java.util.concurrent.locks.LockSupport;

public class InterruptLeavesPermit {
    public static void main(String[] args) {
        Thread.currentThread().interrupt();
        boolean was = Thread.interrupted();
        LockSupport.park();
        System.out.println(was + ", parked once");
    }
}
