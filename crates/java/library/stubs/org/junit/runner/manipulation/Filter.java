package org.junit.runner.manipulation;

import org.junit.runner.Description;

/** As much of the class as is called. */
public abstract class Filter {
    public abstract boolean shouldRun(Description description);

    public abstract String describe();
}
