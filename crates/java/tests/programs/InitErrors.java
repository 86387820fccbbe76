// A failing initialiser: ExceptionInInitializerError first, NoClassDefFoundError after.
public class InitErrors {
    static class Bad {
        static int value = Integer.parseInt("bad");

        static void touch() {}
    }

    static class BadError {
        static int value;

        static {
            value = 1;
            if (value == 1) {
                throw new OutOfMemoryError("pretended");
            }
        }
    }

    static class Base {
        static {
            if (true) {
                throw new IllegalStateException("base");
            }
        }
    }

    static class Derived extends Base {
        static int value = 3;
    }

    interface Action {
        void run();
    }

    static void show(Action action) {
        try {
            action.run();
            System.out.println("fine");
        } catch (Throwable t) {
            System.out.println(t.getClass().getName() + ": " + t.getMessage());
            Throwable c = t.getCause();
            if (c != null && t instanceof ExceptionInInitializerError) {
                System.out.println("  cause " + c);
            }
        }
    }

    public static void main(String[] args) {
        show(() -> System.out.println(Bad.value));
        show(() -> Bad.touch());
        show(() -> new Bad());
        show(() -> BadError.value++);
        show(() -> BadError.value++);
        show(() -> System.out.println(Derived.value));
        show(() -> System.out.println(Derived.value));
        show(() -> new Base());
        try {
            Class.forName("NoSuchClassAnywhere");
        } catch (ClassNotFoundException e) {
            System.out.println(e);
        }
        System.out.println("end");
    }
}
