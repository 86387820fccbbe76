// expect: exception
// outcomes: default|reported
/** A thread dies while another one sets the handler for all threads and takes it back at once. */
public class DefaultHandler {
    static volatile String how = "reported";

    public static void main(String[] args) throws InterruptedException {
        Thread dying = new Thread(() -> {
            throw new IllegalStateException();
        });
        dying.start();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> how = "default");
        Thread.setDefaultUncaughtExceptionHandler(null);
        dying.join();
        System.out.println(how);
    }
}
