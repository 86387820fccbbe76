// expect: deadlock
// A permit that a thread is given before it starts is lost.
import java.util.concurrent.locks.LockSupport;

public class UnparkBeforeStart {
    public static void main(String[] args) {
        Thread parks = new Thread(LockSupport::park);
        Thread gives = new Thread(() -> LockSupport.unpark(parks));
        gives.start();
        parks.start();
    }
}
