// Stack traces with class, method, file and line; causes and suppressed ones in print.
import java.io.PrintWriter;
import java.io.StringWriter;

public class StackTraceLines {
    private final int base;

    StackTraceLines(int base) {
        if (base < 0) {
            throw new IllegalArgumentException("base " + base);
        }
        this.base = base;
    }

    static class Inner {
        static int depth(int n) {
            if (n == 0) {
                throw new UnsupportedOperationException();
            }
            return depth(n - 1)
                + 1;
        }

        int divide(int a, int b) {
            return a
                / b;
        }
    }

    static void wrap(int how) {
        try {
            switch (how) {
                case 0 -> Inner.depth(2);
                case 1 -> new Inner().divide(1, 0);
                case 2 -> new StackTraceLines(-1);
                default -> (new int[2][1])[1][how] = 1;
            }
        } catch (RuntimeException e) {
            RuntimeException wrapped = new RuntimeException("wrapped " + how, e);
            wrapped.addSuppressed(new Exception("side"));
            throw wrapped;
        }
    }

    static String print(Throwable t) {
        StringWriter out = new StringWriter();
        t.printStackTrace(new PrintWriter(out, true));
        return out.toString();
    }

    public static void main(String[] args) {
        for (int how = 0; how < 4; how++) {
            try {
                wrap(how);
            } catch (RuntimeException e) {
                System.out.print(print(e));
                e.printStackTrace(System.out);
            }
        }
        StackTraceElement[] here = new Throwable().getStackTrace();
        System.out.println(here.length + " " + here[0].getMethodName() + " " + here[0].getLineNumber() + " "
            + here[0].getClassName() + " " + here[0].getFileName() + " " + here[0].isNativeMethod());
        Throwable made = new Throwable("made");
        made.setStackTrace(new StackTraceElement[] {new StackTraceElement("Some", "where", "Some.java", 7)});
        System.out.print(print(made));
        new Object() {
            void anonymous() {
                System.out.println(new Throwable().getStackTrace()[0]);
            }
        }.anonymous();
    }
}
