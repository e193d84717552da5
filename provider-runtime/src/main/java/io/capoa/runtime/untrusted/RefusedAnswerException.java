package io.capoa.runtime.untrusted;

import java.io.IOException;
import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A response exceeds a limit, or has another form than it should. The message is a phrase about the server: "it sends more than …". */
public final class RefusedAnswerException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final int DEEPEST_CAUSE = 10;

    public RefusedAnswerException(String message) {
        super(message);
    }

    /** More comes than may come: "{@code what} is larger than 256 KiB". */
    public static RefusedAnswerException tooLarge(String what, long bytes) {
        String limit =
                bytes % MIB == 0 ? bytes / MIB + " MiB" : bytes % KIB == 0 ? bytes / KIB + " KiB" : bytes + " bytes";
        return new RefusedAnswerException(what + " is larger than " + limit);
    }

    /** The refusal behind a failure: TLS and HTTP clients wrap what the streams below them throw. */
    public static Optional<RefusedAnswerException> behind(Throwable failure) {
        @Nullable Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof RefusedAnswerException refused) {
                return Optional.of(refused);
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }
}
