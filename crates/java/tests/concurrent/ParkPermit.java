// expect: holds
// outcomes: done
// A permit given before the park is not lost.
import java.util.concurrent.locks.LockSupport;

public class ParkPermit {
    static String result = "none";

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            LockSupport.park();
            result = "done";
        });
        a.start();
        LockSupport.unpark(a);
        a.join();
        System.out.println(result);
    }
}
