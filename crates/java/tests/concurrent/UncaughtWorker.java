// expect: exception java.lang.IllegalStateException
// An exception that leaves a thread other than main.
public class UncaughtWorker {
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            throw new IllegalStateException("worker");
        });
        a.start();
        a.join();
    }
}
