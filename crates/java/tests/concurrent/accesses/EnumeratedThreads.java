// expect: holds
// outcomes: -|main|other
/** Listing the threads of a group writes an array, which another thread reads: another value was there before. */
public class EnumeratedThreads {
    static final Thread[] list = new Thread[4];
    static String seen = "-";

    public static void main(String[] args) throws InterruptedException {
        Thread main = Thread.currentThread();
        Thread reader = new Thread(() -> {
            Thread first = list[0];
            seen = first == null ? "-" : first == main ? "main" : "other";
        });
        reader.start();
        main.getThreadGroup().enumerate(list);
        list[0] = reader;
        reader.join();
        System.out.println(seen);
    }
}
