package io.capoa.runtime.webhook;

/**
 * Handles the POST requests of one path: admission and version conversion for the API server, hooks for Cluster API.
 */
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

    /** Whether a request without {@code Content-Type} is answered: Cluster API sends none to a runtime extension. */
    default boolean acceptsUntypedBodies() {
        return false;
    }

    /** The call cannot be understood; the message is a sentence for the author of the webhook configuration. */
    final class MalformedRequest extends Exception {

        public MalformedRequest(String message) {
            super(message);
        }
    }
}
