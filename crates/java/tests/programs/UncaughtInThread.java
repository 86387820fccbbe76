// An exception that leaves a thread other than main: the program still ends with code 0.
public class UncaughtInThread {
    public static void main(String[] args) throws InterruptedException {
        Thread t = new Thread(() -> {
            throw new IllegalStateException("thread fails");
        }, "worker");
        t.start();
        t.join();
        System.out.println("alive " + t.isAlive() + " " + t.getState());
    }
}
