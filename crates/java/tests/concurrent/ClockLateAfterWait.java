// expect: holds
// outcomes: end end|end late|late end|late late
/** More time than its limit can pass in a wait, whether it waits for a monitor or for a thread. */
public class ClockLateAfterWait {
    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread other = new Thread(() -> {
            synchronized (monitor) {
                try {
                    monitor.wait();
                } catch (InterruptedException late) {
                    return;
                }
            }
        });
        other.start();
        long begin = System.nanoTime();
        Object own = new Object();
        synchronized (own) {
            own.wait(2);
        }
        boolean first = System.nanoTime() - begin > 2_000_000;
        long before = System.nanoTime();
        other.join(30);
        boolean second = System.nanoTime() - before > 30_000_000;
        System.out.println((first ? "late " : "end ") + (second ? "late" : "end"));
        other.interrupt();
        other.join();
    }
}
