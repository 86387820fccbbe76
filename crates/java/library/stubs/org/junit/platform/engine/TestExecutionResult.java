package org.junit.platform.engine;

import java.util.Optional;

/** As much of the class as is called. */
public class TestExecutionResult {
    /** How it ended. */
    public enum Status { SUCCESSFUL, ABORTED, FAILED }

    public native Status getStatus();

    public native Optional<Throwable> getThrowable();
}
