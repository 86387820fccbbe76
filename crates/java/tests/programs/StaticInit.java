// Order of class initialisation: what triggers it, what does not, cycles, superclasses first.
public class StaticInit {
    static int say(String what, int value) {
        System.out.println("init " + what);
        return value;
    }

    static class Parent {
        static int p = say("Parent.p", 1);

        static {
            System.out.println("static Parent");
        }

        static void hello() {
            System.out.println("hello");
        }
    }

    static class Child extends Parent {
        static final int CONSTANT = 42;
        static final String TEXT = "constant";
        static final Integer BOXED = say("Child.BOXED", 7);
        static int c = say("Child.c", p + 1);

        static {
            System.out.println("static Child");
            c += 10;
        }
    }

    static class Unused {
        static {
            System.out.println("never printed");
        }
    }

    static class A {
        static int a = say("A.a", B.b + 1);
    }

    static class B {
        static int b = say("B.b", A.a + 10);
    }

    static class Singleton {
        static final Singleton ME = new Singleton();
        static int count = 5;
        int seen;

        Singleton() {
            seen = count;
            count = 50;
            System.out.println("constructing, count " + seen);
        }
    }

    static class ByName {
        static {
            System.out.println("by name");
        }
    }

    static class Lazy {
        private static class Holder {
            static final Lazy VALUE = new Lazy();

            static {
                System.out.println("holder");
            }
        }

        static Lazy get() {
            return Holder.VALUE;
        }
    }

    static int first = say("first", 1);
    static int second;

    static {
        second = first + third();
        System.out.println("main class " + first + " " + second);
    }

    static int last = 9;

    static int third() {
        return last;
    }

    public static void main(String[] args) throws Exception {
        System.out.println("main");
        System.out.println(Child.CONSTANT + Child.TEXT);
        Unused[] none = new Unused[2];
        Class<?> literal = Unused.class;
        System.out.println(none.length + literal.getSimpleName());
        Child.hello();
        System.out.println(Child.p);
        System.out.println(Child.c);
        System.out.println(A.a + " " + B.b);
        System.out.println(Singleton.count + " " + Singleton.ME.seen);
        Class.forName("StaticInit$ByName", false, StaticInit.class.getClassLoader());
        System.out.println("not yet");
        Class.forName("StaticInit$ByName");
        System.out.println("lazy");
        System.out.println(Lazy.get() == Lazy.get());
        System.out.println(last);
    }
}
