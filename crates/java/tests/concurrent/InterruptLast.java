// expect: holds
// outcomes: interrupted|joined
// What a thread does last is to interrupt who joins it: it may or may not have ended by the time that is noticed.
public class InterruptLast {
    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        Thread last = new Thread(main::interrupt);
        last.start();
        try {
            last.join();
            System.out.println("joined");
        } catch (InterruptedException noticed) {
            System.out.println("interrupted");
        }
    }
}
