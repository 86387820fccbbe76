package org.junit.platform.launcher;

import org.junit.platform.engine.TestExecutionResult;

/** As much of the interface as is called. */
public interface TestExecutionListener {
    default void executionSkipped(TestIdentifier test, String reason) {}

    default void executionFinished(TestIdentifier test, TestExecutionResult result) {}
}
