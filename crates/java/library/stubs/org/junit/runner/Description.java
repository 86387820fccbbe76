package org.junit.runner;

import java.util.ArrayList;

/** As much of the class as is called. */
public class Description {
    public native String getMethodName();

    public native ArrayList<Description> getChildren();
}
