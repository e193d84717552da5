package io.capoa.runtime.debug;

import io.capoa.runtime.health.Endpoint.Response;
import io.capoa.runtime.http.HttpCall;
import io.capoa.runtime.http.MalformedCall;
import io.capoa.runtime.logging.LogLevel;
import io.capoa.runtime.logging.Logging;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and changes the log level of this process, until it ends. */
public final class LogLevelSetting {

    private static final Logger LOG = LoggerFactory.getLogger(LogLevelSetting.class);
    private static final int LONGEST_WORD = 16;

    private LogLevelSetting() {}

    /** The present level. */
    public static Response read() {
        return Response.text(200, word(Logging.level()) + "\n");
    }

    /** Sets the level that is the body. */
    public static Response write(HttpCall call) throws IOException, MalformedCall {
        String body = new String(call.body(LONGEST_WORD), StandardCharsets.UTF_8).strip();
        Optional<LogLevel> wanted = LogLevel.of(body);
        if (wanted.isEmpty()) {
            return Response.text(400, "send error, warn, info, debug or trace\n");
        }
        LogLevel before = Logging.level();
        Logging.setLevel(wanted.get());
        LOG.info("Log level changed from {} to {} until the next start", word(before), word(wanted.get()));
        return read();
    }

    private static String word(LogLevel level) {
        return level.name().toLowerCase(Locale.ROOT);
    }
}
