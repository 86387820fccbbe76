// expect: exception java.lang.ArithmeticException
// A division by what another thread may not have set yet.
public class UncaughtInRace {
    static int divisor;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> divisor = 2);
        a.start();
        int result = 10 / divisor;
        a.join();
        assert result == 5;
    }
}
