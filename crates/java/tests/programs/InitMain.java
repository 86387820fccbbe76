// exit: 1
// The main class cannot be initialised: its main method never begins.
public class InitMain {
    static int value = Integer.parseInt("none");

    public static void main(String[] args) {
        System.out.println(value);
    }
}
