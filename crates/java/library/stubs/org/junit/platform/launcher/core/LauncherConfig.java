package org.junit.platform.launcher.core;

import org.junit.platform.engine.TestEngine;

/** As much of the interface as is called. */
public interface LauncherConfig {
    static Builder builder() {
        throw new UnsupportedOperationException();
    }

    /** As much of the class as is called. */
    class Builder {
        public native Builder enableTestEngineAutoRegistration(boolean enabled);

        public native Builder enableTestExecutionListenerAutoRegistration(boolean enabled);

        public native Builder addTestEngines(TestEngine... engines);

        public native LauncherConfig build();
    }
}
