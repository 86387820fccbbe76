// expect: deadlock
// Main waits, in the monitor of the stream, for a thread that is about to print.
public class PrintDeadlock {
    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> System.out.print("never"));
        synchronized (System.out) {
            a.start();
            a.join();
        }
    }
}
