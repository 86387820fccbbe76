// assert statements, evaluated when assertions are on.
public class Assertions {
    static int checks;

    static boolean check(boolean b) {
        checks++;
        return b;
    }

    static String message() {
        checks += 100;
        return "built";
    }

    static void run(int kind) {
        switch (kind) {
            case 0 -> {
                assert check(true) : message();
            }
            case 1 -> {
                assert check(false);
            }
            case 2 -> {
                assert check(false) : message();
            }
            case 3 -> {
                assert check(false) : 42;
            }
            case 4 -> {
                assert check(false) : 'c';
            }
            case 5 -> {
                assert check(false) : 2.5;
            }
            case 6 -> {
                assert check(false) : null;
            }
            case 7 -> {
                assert check(false) : new IllegalStateException("as cause");
            }
            default -> {
                assert 1 + 1 == 2;
            }
        }
    }

    public static void main(String[] args) {
        boolean on = false;
        assert on = true;
        System.out.println("on " + on + " " + Assertions.class.desiredAssertionStatus());
        for (int kind = 0; kind < 9; kind++) {
            try {
                run(kind);
                System.out.println("passed " + checks);
            } catch (AssertionError e) {
                System.out.println(e + " cause " + e.getCause() + " " + checks);
            }
        }
    }
}
