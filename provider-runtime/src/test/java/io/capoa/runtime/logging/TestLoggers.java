package io.capoa.runtime.logging;

import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Loggers whose levels and appenders a test may change. */
public final class TestLoggers {

    private TestLoggers() {}

    /** The logger itself; while another test initializes SLF4J, {@link LoggerFactory} gives a substitute. */
    public static Logger of(String name) {
        synchronized (LoggerFactory.class) {
            return (Logger) LoggerFactory.getLogger(name);
        }
    }
}
