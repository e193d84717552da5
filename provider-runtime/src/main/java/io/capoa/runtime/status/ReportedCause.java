package io.capoa.runtime.status;

import java.util.regex.Pattern;

/** Messages of other controllers, without what these say of their own requeues. */
public final class ReportedCause {

    /** Of CAPM3, in the form of its errors that it expects to pass. */
    private static final Pattern REQUEUE = Pattern.compile(
            "(\\.? ?Requeuing)?\\.? ?Object will (not )?be requeued( after [\\w.]+)?", Pattern.CASE_INSENSITIVE);

    private static final Pattern NO_NODE =
            Pattern.compile("(requeuing, )?could not find node with label: ([^\\s;,]+?)(?=[.;,]?(\\s|$))");

    private ReportedCause() {}

    /** The message for users; empty if it told of a requeue alone. */
    public static String of(String message) {
        return NO_NODE.matcher(REQUEUE.matcher(message).replaceAll(""))
                .replaceAll("no Node has label $2 yet")
                .strip();
    }
}
