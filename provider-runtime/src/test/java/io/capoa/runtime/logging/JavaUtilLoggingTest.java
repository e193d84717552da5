package io.capoa.runtime.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.read.ListAppender;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** Libraries that log by java.util.logging, such as OkHttp. */
@Isolated("configures the logging of the process")
class JavaUtilLoggingTest {

    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();

    @AfterEach
    void restore() throws JoranException {
        context.reset();
        new ContextInitializer(context).autoConfig();
    }

    @Test
    void theirLines_comeIntoThisLog_andNowhereElse() {
        Logging.configure(LogFormat.JSON, LogLevel.INFO);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(lines);

        Logger okhttp = Logger.getLogger("okhttp3.OkHttpClient");
        okhttp.warning("A connection to https://192.0.2.1/ was leaked.");
        okhttp.fine("not at this level");

        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getLoggerName()).isEqualTo("okhttp3.OkHttpClient");
            assertThat(line.getLevel()).hasToString("WARN");
            assertThat(line.getFormattedMessage()).contains("was leaked");
        });
        assertThat(Logger.getLogger("").getHandlers()).hasSize(1);
    }
}
