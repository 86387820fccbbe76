// StackWalker and the stack of the current thread.
import java.util.List;
import java.util.stream.Collectors;

public class StackWalks {
    static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    static List<String> frames() {
        return WALKER.walk(s -> s.map(f -> f.getMethodName() + ":" + f.getLineNumber()).collect(Collectors.toList()));
    }

    static class Inner {
        List<String> call(int n) {
            return n == 0 ? frames() : call(n - 1);
        }

        static String caller() {
            return WALKER.getCallerClass().getSimpleName();
        }
    }

    public static void main(String[] args) {
        System.out.println(frames());
        System.out.println(new Inner().call(2));
        System.out.println(Inner.caller());
        System.out.println(WALKER.walk(s -> s.limit(1).map(StackWalker.StackFrame::getDeclaringClass).findFirst()).get().getName());
        System.out.println(Thread.currentThread().getStackTrace()[1].getMethodName());
        Runnable r = () -> System.out.println(frames().size() > 2);
        r.run();
        StackTraceElement e = new Throwable().getStackTrace()[0];
        System.out.println(e + " " + e.equals(new StackTraceElement("StackWalks", "main", "StackWalks.java", e.getLineNumber())));
    }
}
