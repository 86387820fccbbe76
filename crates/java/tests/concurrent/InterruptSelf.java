// expect: holds
// outcomes: interrupted|joined
// A thread that is interrupted already joins one that is about to end.
public class InterruptSelf {
    static volatile boolean done;

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> done = true);
        other.start();
        while (!done) {
            Thread.onSpinWait();
        }
        Thread.currentThread().interrupt();
        try {
            other.join();
            System.out.println("joined");
        } catch (InterruptedException noticed) {
            System.out.println("interrupted");
        }
    }
}
