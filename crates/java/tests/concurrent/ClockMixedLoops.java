// expect: holds
// outcomes: end
/** Loops that wait for a time to come, by one clock or another, or by both in turn. */
public class ClockMixedLoops {
    public static void main(String[] args) {
        long deadline = System.nanoTime() + 5_000_000;
        while (System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        long end = System.currentTimeMillis() + 3;
        while (System.currentTimeMillis() < end) {
            Thread.yield();
        }
        long nanos = System.nanoTime();
        long millis = System.currentTimeMillis();
        while (System.nanoTime() - nanos < 2_000_000 || System.currentTimeMillis() - millis < 10) {
            Thread.onSpinWait();
        }
        System.out.println("end");
    }
}
