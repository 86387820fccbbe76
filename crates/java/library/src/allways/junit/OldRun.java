package allways.junit;

import org.junit.runner.Description;
import org.junit.runner.Request;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runner.notification.RunNotifier;

/**
 * Runs one test method of a class as JUnit 4 does, by the class's own runner: with rules, parameters and what else a runner
 * does. The first failure is thrown. No clock is read.
 */
public final class OldRun {
    private OldRun() {}

    /** Runs a method of a class: for all parameters, if there are any. */
    public static void run(String type, String method) throws Throwable {
        Runner runner = Request.aClass(Class.forName(type)).filterWith(new Only(method)).getRunner();
        RunNotifier notifier = new RunNotifier();
        First first = new First();
        notifier.addListener(first);
        runner.run(notifier);
        if (first.thrown != null) {
            throw first.thrown;
        }
    }

    /** Lets through the tests of one method, which may have their parameters behind its name. */
    private static final class Only extends Filter {
        private final String method;

        Only(String method) {
            this.method = method;
        }

        @Override
        public boolean shouldRun(Description description) {
            String name = description.getMethodName();
            if (name != null) {
                return name.equals(method) || name.startsWith(method + "[");
            }
            for (Description child : description.getChildren()) {
                if (shouldRun(child)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String describe() {
            return "the test " + method;
        }
    }

    /** Keeps what is thrown first. */
    private static final class First extends RunListener {
        private Throwable thrown;

        @Override
        public void testFailure(Failure failure) {
            if (thrown == null) {
                thrown = failure.getException();
            }
        }
    }
}
