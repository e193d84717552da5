package io.capoa.runtime.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a log event as one line of JSON: {@code timestamp, level, logger, message}, inside a reconcile also {@code
 * controller, namespace, name, kind, reconcileID}, and {@code error} with the stack trace of an exception.
 *
 * <p>logback's own {@code JsonEncoder} can neither rename fields nor lift MDC entries to the top level, and it writes the
 * time as a number. Log pipelines expect the fields above, as controller-runtime writes them.
 */
final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {

    @Override
    public byte[] encode(ILoggingEvent event) {
        var line = new StringBuilder(256);
        line.append("{\"timestamp\":\"").append(event.getInstant()).append('"');
        field(line, "level", event.getLevel().toString().toLowerCase(Locale.ROOT));
        field(line, "logger", event.getLoggerName());
        field(line, "message", event.getFormattedMessage());
        Map<String, String> context = event.getMDCPropertyMap();
        if (!context.isEmpty()) {
            field(line, "controller", context.get(LogFields.CONTROLLER));
            field(line, "namespace", context.get(LogFields.RESOURCE_NAMESPACE));
            field(line, "name", context.get(LogFields.RESOURCE_NAME));
            field(line, "kind", context.get(LogFields.RESOURCE_KIND));
            field(line, "reconcileID", context.get(LogFields.RECONCILE_ID));
        }
        if (event.getThrowableProxy() != null) {
            field(line, "error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return line.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }

    private static void field(StringBuilder line, String name, @Nullable String value) {
        if (value == null) {
            return;
        }
        line.append(",\"").append(name).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> line.append("\\\"");
                case '\\' -> line.append("\\\\");
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (c < 0x20) {
                        line.append(String.format("\\u%04x", (int) c));
                    } else {
                        line.append(c);
                    }
                }
            }
        }
        line.append('"');
    }
}
