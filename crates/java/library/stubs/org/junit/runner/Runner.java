package org.junit.runner;

import org.junit.runner.notification.RunNotifier;

/** As much of the class as is called. */
public abstract class Runner {
    public abstract void run(RunNotifier notifier);
}
