package org.junit.jupiter.engine;

import org.junit.platform.engine.TestEngine;

/** As much of the class as is called. */
public final class JupiterTestEngine implements TestEngine {}
