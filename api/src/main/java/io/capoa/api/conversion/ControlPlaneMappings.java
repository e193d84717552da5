package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.conversion.FieldMapping.Derived;
import io.capoa.api.conversion.FieldMapping.Moved;
import io.capoa.api.conversion.FieldMapping.OlderOnly;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fields of the older versions of OpenshiftAssistedControlPlane. */
final class ControlPlaneMappings {

    private static final String BELOW_SPEC = "Below machineTemplate.spec, as Cluster API's v1beta2 contract has it.";
    private static final String DURATION = "Whole seconds instead of a duration such as 1m30s.";
    private static final String MACHINE = "spec.machineTemplate.";
    private static final String DELETION = "spec.machineTemplate.spec.deletion.";

    /** OpenshiftAssistedControlPlane v1alpha2. */
    static final List<FieldMapping> V1ALPHA2 = List.of(
            new Moved(
                    MACHINE + "infrastructureRef",
                    MACHINE + "spec.infrastructureRef",
                    new ObjectReferenceForm(),
                    "apiGroup replaces apiVersion; the namespace is that of the control plane."),
            timeout("nodeDrainTimeout"),
            timeout("nodeVolumeDetachTimeout"),
            timeout("nodeDeletionTimeout"),
            new Moved(
                    "status.conditions",
                    "status.conditions",
                    new OldStyleConditions(),
                    "Conditions of Kubernetes replace those of Cluster API's v1beta1 contract; the severity is gone."),
            new Moved(
                    "status.initialized",
                    "status.initialization.controlPlaneInitialized",
                    ValueConversion.SAME,
                    "Renamed by Cluster API's v1beta2 contract."),
            new Derived(
                    "status.ready",
                    "status.conditions",
                    ControlPlaneMappings::ready,
                    "Whether the condition Available is True."),
            new Moved(
                    "status.updatedReplicas",
                    "status.upToDateReplicas",
                    ValueConversion.SAME,
                    "Renamed by Cluster API's v1beta2 contract."),
            new Derived(
                    "status.unavailableReplicas",
                    "status.availableReplicas",
                    ControlPlaneMappings::unavailable,
                    "spec.replicas less status.availableReplicas, at least 0."),
            new OlderOnly("status.clusterDeploymentRef", "The ClusterDeployment has the name of the control plane."),
            new OlderOnly("status.failureReason", "Failures are reported as conditions."),
            new OlderOnly("status.failureMessage", "Failures are reported as conditions."));

    /** OpenshiftAssistedControlPlane v1alpha3. */
    static final List<FieldMapping> V1ALPHA3 = List.of(
            new Moved(
                    "spec.machineTemplate.infrastructureRef",
                    "spec.machineTemplate.spec.infrastructureRef",
                    ValueConversion.SAME,
                    BELOW_SPEC),
            new Moved(
                    "spec.machineTemplate.deletion",
                    "spec.machineTemplate.spec.deletion",
                    ValueConversion.SAME,
                    BELOW_SPEC + " The Go provider sets nodeDeletionTimeoutSeconds to 10 by default."));

    private ControlPlaneMappings() {}

    private static Moved timeout(String name) {
        return new Moved(MACHINE + name, DELETION + name + "Seconds", new DurationSeconds(), DURATION);
    }

    private static @Nullable JsonNode ready(ObjectNode hub) {
        for (JsonNode condition : hub.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Available")) {
                return BooleanNode.valueOf(condition.path("status").asText().equals("True"));
            }
        }
        return null;
    }

    private static @Nullable JsonNode unavailable(ObjectNode hub) {
        JsonNode wanted = hub.path("spec").path("replicas");
        JsonNode available = hub.path("status").path("availableReplicas");
        return wanted.isInt() && available.isInt()
                ? IntNode.valueOf(Math.clamp((long) wanted.intValue() - available.intValue(), 0, Integer.MAX_VALUE))
                : null;
    }
}
