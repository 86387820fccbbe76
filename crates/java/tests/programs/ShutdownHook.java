// exit: 7
// A shutdown hook runs on exit, after main's output.
public class ShutdownHook {
    public static void main(String[] args) {
        Thread hook = new Thread(() -> System.out.println("hook"));
        Thread removed = new Thread(() -> System.out.println("never"));
        Runtime.getRuntime().addShutdownHook(hook);
        Runtime.getRuntime().addShutdownHook(removed);
        System.out.println(Runtime.getRuntime().removeShutdownHook(removed));
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("main ends");
        System.exit(7);
    }
}
