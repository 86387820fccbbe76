// expect: assertion
// outcomes: equal|more
/** More time can have passed than a thread has slept, for the first reading after it too. */
public class ClockLateAfterSleep {
    public static void main(String[] args) throws Exception {
        long begin = System.nanoTime();
        Thread.sleep(1);
        long elapsed = System.nanoTime() - begin;
        System.out.println(elapsed == 1_000_000 ? "equal" : "more");
        assert elapsed <= 1_000_000;
    }
}
