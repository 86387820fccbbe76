// expect: deadlock
// Joining a thread that has ended waits for its monitor: whoever holds that for ever keeps everybody waiting.
public class JoinedMonitor {
    public static void main(String[] args) throws Exception {
        Thread ended = new Thread(() -> { });
        ended.start();
        Object other = new Object();
        Thread holder = new Thread(() -> {
            synchronized (ended) {
                synchronized (other) {
                    other.notify();
                }
            }
        });
        holder.start();
        synchronized (other) {
            ended.join();
        }
        holder.join();
    }
}
