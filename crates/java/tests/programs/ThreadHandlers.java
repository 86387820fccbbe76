// Uncaught-exception handlers: of the thread, the default one, and their order.
public class ThreadHandlers {
    static void run(Thread t) throws InterruptedException {
        t.start();
        t.join();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread own = new Thread(() -> {
            throw new IllegalStateException("own");
        }, "own");
        own.setUncaughtExceptionHandler((t, e) -> System.out.println("handler of " + t.getName() + ": " + e + " alive " + t.isAlive()));
        run(own);
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.out.println("default for " + t.getName() + ": " + e.getMessage()));
        run(new Thread(() -> {
            throw new Error("error");
        }, "second"));
        run(new Thread(() -> {
            int[] a = {};
            a[0] = 1;
        }, "third"));
        Thread both = new Thread(() -> {
            throw new RuntimeException("both");
        }, "both");
        both.setUncaughtExceptionHandler((t, e) -> System.out.println("own first " + e.getMessage()));
        run(both);
        Thread bad = new Thread(() -> {
            throw new RuntimeException("first");
        }, "bad");
        bad.setUncaughtExceptionHandler((t, e) -> {
            System.out.println("handler throws");
            throw new IllegalStateException("ignored");
        });
        run(bad);
        System.out.println("main goes on");
    }
}
