// try-with-resources: order of closing, suppressed exceptions, null resources.
public class TryWithResources {
    static class Res implements AutoCloseable {
        final String name;
        final boolean bad;

        Res(String name, boolean bad) {
            this.name = name;
            this.bad = bad;
            System.out.println("open " + name);
            if (name.isEmpty()) {
                throw new IllegalArgumentException("no name");
            }
        }

        @Override
        public void close() {
            System.out.println("close " + name);
            if (bad) {
                throw new IllegalStateException("closing " + name);
            }
        }
    }

    static void report(Throwable e) {
        System.out.println("caught " + e.getMessage());
        for (Throwable s : e.getSuppressed()) {
            System.out.println("  suppressed " + s.getMessage());
        }
    }

    static void run(boolean badFirst, boolean badSecond, boolean badBody, boolean badOpen) {
        try (Res a = new Res("a", badFirst); Res b = new Res("b", badSecond); Res c = badOpen ? new Res("", false) : null) {
            System.out.println("body " + a.name + b.name + (c == null));
            if (badBody) {
                throw new RuntimeException("body");
            }
        } catch (RuntimeException e) {
            report(e);
        } finally {
            System.out.println("finally");
        }
    }

    static int value() {
        try (Res r = new Res("value", false)) {
            return 5;
        }
    }

    public static void main(String[] args) throws Exception {
        for (int bits = 0; bits < 16; bits++) {
            System.out.println("case " + bits);
            run((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0);
        }
        System.out.println(value());
        Res shared = new Res("shared", false);
        try (shared) {
            System.out.println("use " + shared.name);
        }
        try (AutoCloseable lambda = () -> System.out.println("close lambda")) {
            System.out.println("in lambda");
        }
        Exception e = new Exception("main");
        e.addSuppressed(new Exception("one"));
        e.addSuppressed(new Error("two"));
        report(e);
        try {
            e.addSuppressed(e);
        } catch (IllegalArgumentException x) {
            System.out.println(x.getMessage());
        }
    }
}
