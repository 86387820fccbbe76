// A shutdown hook runs after the last non-daemon thread ends.
public class ShutdownHookNormal {
    public static void main(String[] args) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        Thread t = new Thread(() -> System.out.println("thread"));
        t.start();
        t.join();
        System.out.println("main ends");
    }
}
