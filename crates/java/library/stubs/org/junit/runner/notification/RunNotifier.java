package org.junit.runner.notification;

/** As much of the class as is called. */
public class RunNotifier {
    public native void addListener(RunListener listener);
}
