// exit: 1
// Stack traces as they are printed: causes, suppressed exceptions, cycles, traces set by hand.
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

public class ExceptionReports {
    static class Resource implements AutoCloseable {
        final String name;

        Resource(String name) {
            this.name = name;
        }

        @Override
        public void close() throws Exception {
            throw new Exception("close " + name);
        }
    }

    static class Quiet extends RuntimeException {
        Quiet(String message) {
            super(message, null, false, false);
        }
    }

    static class Loud extends Exception {
        @Override
        public String getLocalizedMessage() {
            return "localized";
        }

        @Override
        public String toString() {
            return "LOUD(" + super.toString() + ")";
        }
    }

    static void deep(int n) {
        if (n == 0) {
            throw new IllegalStateException("bottom");
        }
        deep(n - 1);
    }

    static void print(Throwable t) {
        StringWriter text = new StringWriter();
        t.printStackTrace(new PrintWriter(text, true));
        System.out.print(text);
    }

    public static void main(String[] args) throws Exception {
        try (Resource a = new Resource("a"); Resource b = new Resource("b")) {
            throw new IllegalArgumentException("body");
        } catch (Exception e) {
            print(e);
            System.out.println(Arrays.toString(e.getSuppressed()));
        }
        try {
            try {
                deep(3);
            } catch (IllegalStateException e) {
                throw new RuntimeException(e);
            }
        } catch (RuntimeException e) {
            print(new Error("outer", e));
        }
        print(new Quiet("no trace"));
        print(new Loud());
        Exception one = new Exception("one");
        Exception two = new Exception("two", one);
        one.initCause(two);
        print(one);
        Exception set = new Exception("set");
        set.setStackTrace(new StackTraceElement[] {new StackTraceElement("Some", "where", "Some.java", 7), new StackTraceElement("Some", "native", null, -2)});
        print(set);
        Iterator<Integer> iterator = new ArrayList<>(List.of(1)).iterator();
        iterator.next();
        try {
            iterator.next();
        } catch (RuntimeException e) {
            print(e);
        }
        FutureTask<Integer> task = new FutureTask<>(() -> Integer.parseInt("x1"));
        task.run();
        try {
            task.get();
        } catch (ExecutionException e) {
            print(e);
        }
        try {
            Object o = List.of("a").stream().map(s -> s.charAt(5)).toList();
        } catch (RuntimeException e) {
            System.out.println(e + " " + e.getStackTrace()[e.getStackTrace().length - 1]);
        }
        try {
            one.initCause(null);
        } catch (IllegalStateException e) {
            System.out.println(e);
        }
        try {
            one.addSuppressed(one);
        } catch (IllegalArgumentException e) {
            System.out.println(e);
        }
        new Throwable("to the error stream").printStackTrace();
        throw new Loud();
    }
}
