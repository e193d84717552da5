package io.capoa.controlplane.operation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.machines.Machines;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A replacement of an unhealthy Machine, as annotations keep it: on the control plane until the replacement exists, then
 * on that.
 *
 * @param machine name of the Machine that was deleted
 * @param timestamp when its deletion began
 * @param retryCount how many times the replacement has been retried, at most 1000
 * @param overridesGuard whether an annotation of that Machine lets the quorum guard be overridden until its replacement has
 *     joined
 */
public record RemediationRecord(String machine, Instant timestamp, int retryCount, boolean overridesGuard) {

    private static final ObjectMapper JSON = UntrustedContent.json();
    /** Characters of the longest value that is read; with the longest name, {@link #value} takes fewer than half. */
    private static final int LONGEST = 1024;

    private static final int MOST_RETRIES = 1000;
    private static final String OVERRIDES_GUARD = "overrideEtcdQuorumGuard";

    /** The record on a control plane whose Machine has been deleted and has no replacement yet. */
    public static Optional<RemediationRecord> inProgress(HasMetadata controlPlane) {
        return of(controlPlane, Annotations.REMEDIATION_IN_PROGRESS);
    }

    /** The record on a Machine that is a replacement. */
    public static Optional<RemediationRecord> onReplacement(Machine machine) {
        return of(machine, Annotations.REMEDIATION_FOR);
    }

    /** The last one that the annotations know. */
    public static Optional<RemediationRecord> last(HasMetadata controlPlane, Collection<Machine> machines) {
        return Stream.concat(
                        inProgress(controlPlane).stream(), machines.stream().flatMap(m -> onReplacement(m).stream()))
                .max(Comparator.comparing(RemediationRecord::timestamp));
    }

    /** The same after an earlier one whose replacement does not exist yet. */
    RemediationRecord after(RemediationRecord earlier) {
        return new RemediationRecord(
                machine,
                timestamp,
                Math.max(retryCount, earlier.retryCount()),
                overridesGuard || earlier.overridesGuard());
    }

    /** Whether it records the deletion of that Machine. */
    public boolean isOf(Machine other) {
        return machine.equals(other.getMetadata().getName());
    }

    /** Whether the Machine was created after it; creation times have whole seconds. */
    public boolean isBefore(Machine created) {
        return !Instant.parse(created.getMetadata().getCreationTimestamp())
                .isBefore(timestamp.truncatedTo(ChronoUnit.SECONDS));
    }

    /** Whether the Machine is gone and no replacement of it follows, because there are Machines enough. */
    public boolean isSettled(Machines machines, int desired) {
        return machines.stream().noneMatch(this::isOf) && machines.staying().size() >= desired;
    }

    /** The annotation's value, JSON. */
    public String value() {
        ObjectNode fields = JSON.createObjectNode()
                .put("machine", machine)
                .put("timestamp", timestamp.toString())
                .put("retryCount", retryCount);
        return (overridesGuard ? fields.put(OVERRIDES_GUARD, true) : fields).toString();
    }

    /** One that cannot be read counts as absent: it only limits retries, and gives no consent. */
    private static Optional<RemediationRecord> of(HasMetadata object, String annotation) {
        String value = Annotations.value(object, annotation);
        if (value == null || value.length() > LONGEST) {
            return Optional.empty();
        }
        try {
            JsonNode fields = JSON.readTree(value);
            return Optional.of(new RemediationRecord(
                    fields.path("machine").asText(),
                    Instant.parse(fields.path("timestamp").asText()),
                    Math.clamp(fields.path("retryCount").asInt(), 0, MOST_RETRIES),
                    fields.path(OVERRIDES_GUARD).equals(BooleanNode.TRUE)));
        } catch (JsonProcessingException | DateTimeException e) {
            return Optional.empty();
        }
    }
}
