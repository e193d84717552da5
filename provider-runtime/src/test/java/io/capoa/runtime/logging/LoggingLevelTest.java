package io.capoa.runtime.logging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** The log level at run time. */
@Isolated("sets the level of all loggers")
class LoggingLevelTest {

    private final LogLevel before = Logging.level();

    @AfterEach
    void restore() {
        Logging.setLevel(before);
    }

    @Test
    void aFinerLevel_holdsForAllLoggers_butThoseThatPrintWholeObjects() {
        Logging.setLevel(LogLevel.DEBUG);

        assertThat(Logging.level()).isEqualTo(LogLevel.DEBUG);
        assertThat(LoggerFactory.getLogger("io.capoa.any").isDebugEnabled()).isTrue();
        assertThat(LoggerFactory.getLogger("io.fabric8.kubernetes.client").isDebugEnabled())
                .isFalse();
        assertThat(LoggerFactory.getLogger("okhttp3").isDebugEnabled()).isFalse();
    }

    @Test
    void aCoarserLevel_holdsForThoseToo_andFinerOnesComeBack() {
        Logging.setLevel(LogLevel.ERROR);
        assertThat(LoggerFactory.getLogger("okhttp3").isWarnEnabled()).isFalse();

        Logging.setLevel(LogLevel.INFO);
        assertThat(LoggerFactory.getLogger("okhttp3").isInfoEnabled()).isTrue();
    }
}
