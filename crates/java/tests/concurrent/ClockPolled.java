// expect: holds
// outcomes: early 5|late 0|late 5
/** A loop that only looks at the clock comes to its end, at any time. */
public class ClockPolled {
    static volatile int value;

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> value = 5);
        writer.start();
        long begin = System.nanoTime();
        boolean early = false;
        while (System.nanoTime() - begin < 3_000_000) {
            if (value == 5) {
                early = true;
                break;
            }
            Thread.onSpinWait();
        }
        System.out.println((early ? "early " : "late ") + value);
        writer.join();
    }
}
