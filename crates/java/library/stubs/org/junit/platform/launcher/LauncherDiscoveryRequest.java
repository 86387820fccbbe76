package org.junit.platform.launcher;

/** As much of the interface as is called. */
public interface LauncherDiscoveryRequest {}
