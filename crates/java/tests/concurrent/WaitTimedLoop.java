// expect: holds
// outcomes: done
/** A timed wait in a loop, over and over, until somebody sets the flag. */
public class WaitTimedLoop {
    static boolean ready;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        new Thread(() -> {
            synchronized (lock) {
                ready = true;
                lock.notifyAll();
            }
        }).start();
        synchronized (lock) {
            while (!ready) {
                lock.wait(5);
            }
        }
        System.out.println("done");
    }
}
