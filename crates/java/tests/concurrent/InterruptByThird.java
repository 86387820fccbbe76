// expect: holds
// outcomes: interrupted|joined
// A third thread interrupts who joins, when it sees the last write of the one that is joined.
public class InterruptByThird {
    static volatile boolean done;

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        Thread other = new Thread(() -> done = true);
        Thread third = new Thread(() -> {
            if (done) {
                main.interrupt();
            }
        });
        other.start();
        third.start();
        try {
            other.join();
            System.out.println("joined");
        } catch (InterruptedException noticed) {
            System.out.println("interrupted");
        }
    }
}
