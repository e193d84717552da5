package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.capoa.lab.cluster.AuditEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * The debounce of statuses. The number of states that last, and are reported, depends on how busy the machine is; but no
 * machine is so busy that a state is reported that did not last.
 */
final class LastingStatuses {

    private LastingStatuses() {}

    /**
     * Asserts that each status of an object follows the one before by the time of the debounce, except for a few.
     *
     * @param writes of one object's status, in order
     * @param awaited whether other controllers wait for the change from one status to the next
     * @param most maximum number of such changes
     */
    static void assertDebounced(
            List<AuditEntry> writes, Duration debounce, BiPredicate<JsonNode, JsonNode> awaited, int most) {
        JsonNode before = MissingNode.getInstance();
        Instant end = Instant.EPOCH;
        int immediate = 0;
        for (AuditEntry write : writes) {
            JsonNode after = write.object().path("status");
            if (awaited.test(before, after)) {
                immediate++;
            } else {
                assertThat(write.received())
                        .as("%s of %s follows %s", after, write.name(), before)
                        .isAfterOrEqualTo(end.plus(debounce));
            }
            before = after;
            end = write.time();
        }
        assertThat(immediate).as("changes that others wait for").isBetween(1, most);
    }

    /** Whether a condition of the status is True. */
    static boolean isTrue(JsonNode status, String type) {
        return condition(status, type).path("status").asText().equals("True");
    }

    /** The condition of the status; missing if there is none. */
    static JsonNode condition(JsonNode status, String type) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        return MissingNode.getInstance();
    }
}
