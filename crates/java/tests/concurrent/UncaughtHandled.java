// expect: holds
// outcomes: handled
// An exception that leaves a thread and is taken by its handler.
public class UncaughtHandled {
    static String result = "none";

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            throw new IllegalStateException("worker");
        });
        a.setUncaughtExceptionHandler((t, e) -> result = "handled");
        a.start();
        a.join();
        System.out.println(result);
    }
}
