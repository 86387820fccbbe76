// exit: 9
// Runtime.halt ends at once: no hooks, no finally.
public class HaltCode {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("never")));
        System.out.println("halting");
        System.out.flush();
        try {
            Runtime.getRuntime().halt(9);
        } finally {
            System.out.println("never");
        }
    }
}
