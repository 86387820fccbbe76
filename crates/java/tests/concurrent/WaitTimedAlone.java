// expect: holds
// outcomes: done
// A wait with a time limit and nobody to notify is no deadlock.
public class WaitTimedAlone {
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (LOCK) {
                try {
                    LOCK.wait(1000);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        a.start();
        a.join();
        System.out.println("done");
    }
}
