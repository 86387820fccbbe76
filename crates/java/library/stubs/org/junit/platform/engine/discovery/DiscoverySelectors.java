package org.junit.platform.engine.discovery;

import java.lang.reflect.Method;

/** As much of the class as is called. */
public final class DiscoverySelectors {
    public static native MethodSelector selectMethod(Class<?> type, Method method);
}
