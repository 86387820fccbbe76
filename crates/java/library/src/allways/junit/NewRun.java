package allways.junit;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs one test method of a class as JUnit 5 does, by the Jupiter engine: with extensions, parameters, repetitions and
 * nested classes. The first failure is thrown. Time limits are off, and nothing runs in parallel.
 */
public final class NewRun implements TestExecutionListener {
    private static final String TIMEOUTS = "junit.jupiter.execution.timeout.mode";
    private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";

    private Throwable first;
    private boolean wasRun;

    private NewRun() {}

    /** Runs a method of a class: for all parameters, if there are any. */
    public static void run(String type, String method) throws Throwable {
        LauncherConfig config = LauncherConfig.builder()
                .enableTestEngineAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .addTestEngines(new JupiterTestEngine())
                .build();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(methods(Class.forName(type), method))
                .configurationParameter(TIMEOUTS, "disabled")
                .configurationParameter(PARALLEL, "false")
                .build();
        NewRun listener = new NewRun();
        LauncherFactory.create(config).execute(request, listener);
        if (listener.first != null) {
            throw listener.first;
        }
        if (!listener.wasRun) {
            throw new IllegalStateException("JUnit ran no test " + type + "#" + method);
        }
    }

    /** All methods of a name, in the first class that has any. */
    private static List<DiscoverySelector> methods(Class<?> type, String name) {
        List<DiscoverySelector> found = new ArrayList<>();
        for (Class<?> at = type; at != null && found.isEmpty(); at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                if (method.getName().equals(name) && !method.isSynthetic()) {
                    found.add(DiscoverySelectors.selectMethod(type, method));
                }
            }
        }
        return found;
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        wasRun = true;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        wasRun |= test.isTest();
        if (first == null && result.getStatus() == TestExecutionResult.Status.FAILED) {
            first = result.getThrowable().orElseGet(() -> new AssertionError(test.getDisplayName()));
        }
    }
}
