package io.capoa.runtime.webhook;

/** Handles the API server's calls of one path: admission now, version conversion in the same way. */
@FunctionalInterface
public interface WebhookHandler {

    /**
     * Answers one call.
     *
     * @param body JSON as it was sent, not looked at yet
     * @return JSON
     * @throws MalformedRequest when the body is nothing that this path understands
     */
    byte[] answer(byte[] body) throws MalformedRequest;

    /** The call cannot be understood; the message is a sentence for the author of the webhook configuration. */
    final class MalformedRequest extends Exception {

        public MalformedRequest(String message) {
            super(message);
        }
    }
}
