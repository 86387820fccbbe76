// expect: holds
// outcomes: true
/** What passes before the clock is first read cannot be known; what passes afterwards can. */
public class ClockDifference {
    public static void main(String[] args) throws Exception {
        Thread.sleep(500);
        long begin = System.nanoTime();
        long wall = System.currentTimeMillis();
        Thread.sleep(20);
        System.out.println(System.nanoTime() - begin >= 20_000_000 && System.currentTimeMillis() - wall >= 20);
    }
}
