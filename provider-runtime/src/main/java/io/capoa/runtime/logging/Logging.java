package io.capoa.runtime.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.util.Map;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Configures logback in code, by the flags of a manager. */
public final class Logging {

    /** Loggers with a minimum level, whatever the flags say: their finer levels print whole objects, Secrets too. */
    private static final Map<String, Level> CAPPED = Map.of(
            "io.fabric8.kubernetes.client", Level.INFO,
            // Warns of each v1alpha and v1beta kind that is watched, which most of these are.
            "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils", Level.ERROR,
            // Logs each failed exec into a pod as an error; the caller reports it.
            "io.fabric8.kubernetes.client.dsl.internal.core.v1.PodOperationsImpl", Level.OFF,
            "okhttp3", Level.INFO,
            "io.javaoperatorsdk", Level.DEBUG);

    private static final String TEXT_PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0}"
            + "%replace( [%X{controller} %X{resource.namespace}/%X{resource.name} %X{reconcileID}]){' \\[ / \\]', ''}"
            + " %msg%n";

    private Logging() {}

    /** Replaces the whole logback configuration. Call it before the first line is logged. */
    public static void configure(LogFormat format, LogLevel minimum) {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setName("stderr");
        appender.setTarget("System.err");
        appender.setEncoder(encoder(format, context));
        appender.start();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(appender);
        setLevel(minimum);
        // OkHttp and the JDK log by java.util.logging: their lines belong into this log and its format.
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    /** Changes the level at run time; loggers with a cap keep it. */
    public static void setLevel(LogLevel minimum) {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        var level = Level.toLevel(minimum.name());
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(level);
        CAPPED.forEach((logger, cap) -> context.getLogger(logger).setLevel(cap.isGreaterOrEqual(level) ? cap : level));
    }

    /** The present level. */
    public static LogLevel level() {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        return LogLevel.valueOf(context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)
                .getEffectiveLevel()
                .toString());
    }

    private static Encoder<ILoggingEvent> encoder(LogFormat format, LoggerContext context) {
        Encoder<ILoggingEvent> encoder = switch (format) {
            case JSON -> new JsonLogEncoder();
            case TEXT -> {
                var text = new PatternLayoutEncoder();
                text.setPattern(TEXT_PATTERN);
                yield text;
            }
        };
        encoder.setContext(context);
        encoder.start();
        return encoder;
    }
}
