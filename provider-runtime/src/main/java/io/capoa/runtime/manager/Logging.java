package io.capoa.runtime.manager;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Sets up logback in code: no configuration file is looked for or parsed when a manager starts. */
final class Logging {

    /** Loggers held at a level of their own, whatever is asked for: their finer levels print whole objects, Secrets too. */
    private static final Map<String, Level> CAPPED = Map.of(
            "io.fabric8.kubernetes.client", Level.INFO,
            // Warns once for every v1alpha and v1beta kind that is watched; ours are all of that sort.
            "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils", Level.ERROR,
            // Logs each command that could not be run in a pod as an error; the caller reports it.
            "io.fabric8.kubernetes.client.dsl.internal.core.v1.PodOperationsImpl", Level.OFF,
            // Says "configured not to exit" where this process does exit; Leadership logs what happens.
            "io.javaoperatorsdk.operator.LeaderElectionManager", Level.WARN,
            "okhttp3", Level.INFO,
            "io.javaoperatorsdk", Level.DEBUG);

    private static final String TEXT_PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0}"
            + "%replace( [%X{controller} %X{resource.namespace}/%X{resource.name} %X{reconcileID}]){' \\[ / \\]', ''}"
            + " %msg%n";

    private record Wanted(LogFormat format, LogLevel level) {}

    private static volatile @Nullable Wanted wanted;

    private Logging() {}

    /** Call before anything logs; a later call starts over. */
    static void configure(LogFormat format, LogLevel level) {
        var asked = new Wanted(format, level);
        wanted = asked;
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        if (!asked.equals(context.getObject(Logging.class.getName()))) {
            context.reset();
            apply(context);
        }
    }

    /** Returns false when no manager asked for anything: then logback goes on with its own ways. */
    static boolean apply(LoggerContext context) {
        var configuration = wanted;
        if (configuration == null) {
            return false;
        }
        context.putObject(Logging.class.getName(), configuration);
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setName("stderr");
        appender.setTarget("System.err");
        appender.setEncoder(encoder(configuration.format(), context));
        appender.start();
        var level = Level.toLevel(configuration.level().name());
        var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(level);
        root.addAppender(appender);
        CAPPED.forEach((logger, cap) -> context.getLogger(logger).setLevel(cap.isGreaterOrEqual(level) ? cap : level));
        return true;
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
