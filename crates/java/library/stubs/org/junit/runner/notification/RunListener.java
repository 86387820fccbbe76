package org.junit.runner.notification;

/** As much of the class as is called. */
public class RunListener {
    public void testFailure(Failure failure) throws Exception {}
}
