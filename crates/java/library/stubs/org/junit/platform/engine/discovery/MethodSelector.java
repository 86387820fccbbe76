package org.junit.platform.engine.discovery;

import org.junit.platform.engine.DiscoverySelector;

/** As much of the class as is called. */
public class MethodSelector implements DiscoverySelector {}
