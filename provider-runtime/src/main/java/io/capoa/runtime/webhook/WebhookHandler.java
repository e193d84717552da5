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

    /**
     * Whether only clients with a certificate are answered, where their authorities are known: API servers present none
     * when they ask for a conversion.
     */
    default boolean verifiesClients() {
        return true;
    }

    /** Calls a second of one address, which may send twice as many for a moment; without a limit 0. */
    default int callsPerSecond() {
        return 0;
    }

    /** Whether an answer may wait for other servers: such answers do not take the room of the others. */
    default boolean waitsForOthers() {
        return false;
    }

    /** Whether a request without {@code Content-Type} is answered: Cluster API sends none to a runtime extension. */
    default boolean acceptsUntypedBodies() {
        return false;
    }

    /** The call cannot be understood; the message is a sentence for the author of the webhook configuration. */
    final class MalformedRequest extends Exception {

        private final boolean tooLarge;

        public MalformedRequest(String message) {
            this(message, false);
        }

        private MalformedRequest(String message, boolean tooLarge) {
            super(message);
            this.tooLarge = tooLarge;
        }

        /** The call has more content than any that is expected. */
        static MalformedRequest tooLarge(String message) {
            return new MalformedRequest(message, true);
        }

        boolean isTooLarge() {
            return tooLarge;
        }
    }
}
