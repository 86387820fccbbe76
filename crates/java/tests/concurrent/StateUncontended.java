// expect: holds
// outcomes: true
/** A thread that nobody keeps out of a monitor is never blocked. */
public class StateUncontended {
    public static void main(String[] args) {
        Object lock = new Object();
        Thread thread = new Thread(() -> {
            synchronized (lock) {
                Thread.onSpinWait();
            }
        });
        thread.start();
        System.out.println(thread.getState() != Thread.State.BLOCKED);
    }
}
