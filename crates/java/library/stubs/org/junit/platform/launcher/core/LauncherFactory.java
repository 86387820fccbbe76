package org.junit.platform.launcher.core;

import org.junit.platform.launcher.Launcher;

/** As much of the class as is called. */
public class LauncherFactory {
    public static native Launcher create(LauncherConfig config);
}
