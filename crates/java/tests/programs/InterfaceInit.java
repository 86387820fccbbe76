// When interfaces are initialised: on use of a field, or with a class if they have default methods.
public class InterfaceInit {
    static int say(String s) {
        System.out.println("init " + s);
        return s.length();
    }

    interface Plain {
        int P = say("Plain");

        void m();
    }

    interface WithDefault {
        int D = say("WithDefault");

        default void d() {}
    }

    interface Sub extends Plain, WithDefault {
        int S = say("Sub");
        int CONSTANT = 5;

        static void touch() {
            System.out.println("touch");
        }
    }

    static class Impl implements Sub {
        static int i = say("Impl");

        @Override
        public void m() {}
    }

    interface Other {
        int O = say("Other");

        default void o() {}
    }

    static class Second implements Other {
        static int s = say("Second");
    }

    public static void main(String[] args) {
        System.out.println(Sub.CONSTANT);
        System.out.println("new Impl");
        new Impl().m();
        System.out.println("Sub.touch");
        Sub.touch();
        System.out.println("Plain.P");
        System.out.println(Impl.P);
        System.out.println("Second[]");
        Second[] none = new Second[1];
        System.out.println("Second.s");
        System.out.println(Second.s + none.length);
        System.out.println(Other.O);
    }
}
