package io.capoa.runtime.http;

/** A request that is refused; the message is a sentence for the client. */
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
