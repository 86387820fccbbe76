// Order of instance initialisation, virtual calls from constructors, this() chains.
public class InstanceInit {
    static String trace(String s) {
        System.out.println(s);
        return s;
    }

    static class Base {
        String a = trace("Base.a");
        final int id;

        {
            trace("Base block");
        }

        Base(int id) {
            trace("Base(" + id + ")");
            this.id = id;
            hook();
        }

        void hook() {
            trace("Base.hook");
        }
    }

    static class Derived extends Base {
        String b = trace("Derived.b");
        int number = 5;
        final int constant = 6;
        String later;

        {
            later = trace("Derived block " + number);
        }

        Derived() {
            this(trace("argument").length());
            trace("Derived() " + number);
        }

        Derived(int n) {
            super(n * 2);
            trace("Derived(" + n + ")");
            number = n;
        }

        @Override
        void hook() {
            trace("Derived.hook " + b + " " + number + " " + constant + " " + later);
        }
    }

    static class Counter {
        static int made;
        final int serial = ++made;
        final int[] squares = new int[serial];

        {
            for (int i = 0; i < squares.length; i++) {
                squares[i] = i * i;
            }
        }
    }

    public static void main(String[] args) {
        Derived d = new Derived();
        System.out.println(d.id + " " + d.number + " " + d.a + " " + d.b + " " + d.later);
        new Base(1);
        System.out.println(new Counter().serial + " " + new Counter().squares.length + " " + new Counter().squares[2]);
    }
}
