// expect: holds
// outcomes: passed passed|passed stood|stood passed|stood stood
/** Time can pass between any two readings, of one thread or two, and need not. */
public class ClockBetweenReadings {
    static long there;

    public static void main(String[] args) throws Exception {
        long first = System.nanoTime();
        long second = System.nanoTime();
        Thread other = new Thread(() -> there = System.nanoTime());
        other.start();
        other.join();
        System.out.println((second > first ? "passed " : "stood ") + (there > second ? "passed" : "stood"));
    }
}
