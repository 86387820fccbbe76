// expect: holds
// outcomes: BLOCKED|RUNNABLE
/** A thread that is about to enter a monitor of another one may not have tried yet. */
public class StateBeforeBlocking {
    static volatile boolean ready;

    public static void main(String[] args) {
        Object lock = new Object();
        Thread thread = new Thread(() -> {
            ready = true;
            synchronized (lock) {
                ready = false;
            }
        });
        synchronized (lock) {
            thread.start();
            while (!ready) {
                Thread.onSpinWait();
            }
            System.out.println(thread.getState());
        }
    }
}
