// expect: holds
// outcomes: BLOCKED|RUNNABLE|TERMINATED
/** A thread that was blocked stays so until it has the monitor, also when that is free again. */
public class StateOfBlocked {
    public static void main(String[] args) {
        Object lock = new Object();
        Thread thread = new Thread(() -> {
            synchronized (lock) {
                Thread.onSpinWait();
            }
        });
        synchronized (lock) {
            thread.start();
            while (thread.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            // Seen to be blocked, it is blocked while the monitor is taken.
            assert thread.getState() == Thread.State.BLOCKED;
        }
        System.out.println(thread.getState());
    }
}
