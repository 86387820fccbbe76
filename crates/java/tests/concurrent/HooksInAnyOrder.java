// expect: holds
// outcomes: end AB|end BA
/** Shutdown hooks run at the same time as each other, after the last thread. */
public class HooksInAnyOrder {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print("A")));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print("B")));
        System.out.print("end ");
    }
}
