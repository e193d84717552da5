package io.capoa.runtime.http;

/** A request that is not answered as it asks; the message is a sentence for its sender. */
public final class MalformedCall extends Exception {

    private static final long serialVersionUID = 1L;

    private final int status;

    MalformedCall(int status, String message) {
        super(message);
        this.status = status;
    }

    HttpAnswer answer() {
        return HttpAnswer.text(status, getMessage() + "\n");
    }
}
