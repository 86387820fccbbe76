package org.junit.runner.notification;

/** As much of the class as is called. */
public class Failure {
    public native Throwable getException();
}
