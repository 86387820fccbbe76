package org.junit.platform.launcher;

/** As much of the class as is called. */
public final class TestIdentifier {
    public native boolean isTest();

    public native String getDisplayName();
}
