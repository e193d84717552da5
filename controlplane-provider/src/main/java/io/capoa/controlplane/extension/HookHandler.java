package io.capoa.controlplane.extension;

import io.capoa.runtime.webhook.WebhookHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the requests of one hook; whatever the request is, the response has the form that Cluster API expects. */
final class HookHandler implements WebhookHandler {

    private static final Logger LOG = LoggerFactory.getLogger(HookHandler.class);

    private static final int CALLS_PER_SECOND = 50;

    private final String title;
    private final Decision decision;

    /** What a hook answers. */
    @FunctionalInterface
    interface Decision {

        HookResponse of(HookRequest request) throws InvalidRequest;
    }

    /**
     * The handler.
     *
     * @param title of the hook, such as {@code UpdateMachine}
     */
    HookHandler(String title, Decision decision) {
        this.title = title;
        this.decision = decision;
    }

    @Override
    public byte[] answer(byte[] body) {
        return response(body).json(title + "Response");
    }

    @Override
    public boolean acceptsUntypedBodies() {
        return true;
    }

    @Override
    public boolean waitsForOthers() {
        return true;
    }

    /** As many as Cluster API needs for a thousand Machines that are updated at once. */
    @Override
    public int callsPerSecond() {
        return CALLS_PER_SECOND;
    }

    private HookResponse response(byte[] body) {
        try {
            return decision.of(HookRequest.parse(body, title + "Request"));
        } catch (InvalidRequest e) {
            return HookResponse.failure(title + " request: " + e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("Hook {} failed", title, e);
            return HookResponse.failure("the control-plane provider failed to answer " + title + "; its log has more");
        }
    }
}
