// expect: assertion
// outcomes: |stopped
/** A loop that sleeps and does not look at the clock has finitely many states. */
public class SleepForEver {
    static volatile boolean stop;
    static volatile int rounds;

    public static void main(String[] args) throws Exception {
        Thread ticker = new Thread(() -> {
            try {
                while (!stop) {
                    rounds = (rounds + 1) % 3;
                    Thread.sleep(10);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        ticker.start();
        Thread.sleep(1000);
        int seen = rounds;
        stop = true;
        assert seen != 2;
        ticker.join();
        System.out.println("stopped");
    }
}
