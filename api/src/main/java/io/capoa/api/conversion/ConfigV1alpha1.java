package io.capoa.api.conversion;

import io.capoa.api.conversion.FieldMapping.Moved;
import io.capoa.api.conversion.FieldMapping.OlderOnly;
import java.util.List;

/** OpenshiftAssistedConfig v1alpha1. */
final class ConfigV1alpha1 {

    static final List<FieldMapping> MAPPINGS = List.of(
            new Moved(
                    "status.conditions",
                    "status.conditions",
                    new OldStyleConditions(),
                    "Conditions of Kubernetes replace those of Cluster API's v1beta1 contract; the severity is gone."),
            new Moved(
                    "status.ready",
                    "status.initialization.dataSecretCreated",
                    ValueConversion.SAME,
                    "Renamed by Cluster API's v1beta2 contract."),
            new OlderOnly("status.infraEnvRef", "The InfraEnv has the name of the Machine."),
            new OlderOnly("status.agentRef", "The Agent is found by the label of its InfraEnv."),
            new OlderOnly("status.failureReason", "Failures are reported as conditions."),
            new OlderOnly("status.failureMessage", "Failures are reported as conditions."));

    private ConfigV1alpha1() {}
}
