package org.junit.platform.engine;

/** As much of the interface as is called. */
public interface DiscoverySelector {}
