// exit: 1
// What failed initialisers say of what they threw, to those who come later too.
public class InitCauses {
    static class Bad {
        static final int VALUE = Integer.parseInt("bad");
    }

    static class Worse {
        static int value;

        static {
            if (value == 0) {
                throw new StackOverflowError("pretended");
            }
        }
    }

    static class Base {
        static {
            if (true) {
                throw new IllegalStateException((String) null);
            }
        }
    }

    static class Derived extends Base {
        static int value = 3;
    }

    static void show(Runnable action) {
        try {
            action.run();
        } catch (Throwable t) {
            for (Throwable at = t; at != null; at = at.getCause()) {
                System.out.println(at.getClass().getName() + "|" + at.getMessage() + "|" + at.getStackTrace().length);
                for (StackTraceElement e : at.getStackTrace()) {
                    System.out.println("    " + e);
                }
            }
        }
        System.out.println();
    }

    public static void main(String[] args) throws Exception {
        show(() -> System.out.println(Bad.VALUE));
        show(() -> System.out.println(Bad.VALUE));
        show(() -> new Bad());
        show(() -> Worse.value++);
        show(() -> Worse.value++);
        show(() -> Derived.value++);
        show(() -> Derived.value++);
        show(() -> new Base());
        Thread other = new Thread(() -> Bad.class.getName().concat("" + Bad.VALUE), "other");
        other.start();
        other.join();
        new Bad();
    }
}
