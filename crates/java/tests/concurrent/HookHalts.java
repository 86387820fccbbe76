// expect: holds
// outcomes: A|AB|BA
/** A hook that halts the process keeps the other from being done. */
public class HookHalts {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.print("A");
            Runtime.getRuntime().halt(0);
        }));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print("B")));
        System.exit(3);
    }
}
