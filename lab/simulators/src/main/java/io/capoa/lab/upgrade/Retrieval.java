package io.capoa.lab.upgrade;

import java.time.Instant;
import java.util.Optional;

/**
 * A requested payload that is not accepted yet.
 *
 * @param payload as requested: version or image may be empty
 * @param refusal condition ReleaseAccepted=False; empty while the payload is being retrieved
 */
public record Retrieval(Payload payload, Instant since, Optional<Condition> refusal) {

    boolean isOf(Payload other) {
        return payload.equals(other);
    }
}
