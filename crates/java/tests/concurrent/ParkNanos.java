// expect: holds
// outcomes: done
// A park with a time limit ends without a permit.
import java.util.concurrent.locks.LockSupport;

public class ParkNanos {
    static String result = "none";

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            LockSupport.parkNanos(1000);
            result = "done";
        });
        a.start();
        a.join();
        System.out.println(result);
    }
}
