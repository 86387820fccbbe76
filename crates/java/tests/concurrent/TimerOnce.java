// expect: holds
// outcomes: ran
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

/** A task of a timer, once. */
public class TimerOnce {
    public static void main(String[] args) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Timer timer = new Timer(true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                done.countDown();
            }
        }, 20);
        done.await();
        System.out.println("ran");
    }
}
