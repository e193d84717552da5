package io.capoa.api.conversion;

import io.capoa.api.conversion.FieldMapping.Moved;
import io.capoa.api.conversion.FieldMapping.OlderOnly;
import io.capoa.api.conversion.FieldMapping.SecondForm;
import java.util.List;

/** Fields of the older versions of OpenshiftAssistedConfig and its template. */
final class ConfigMappings {

    /** OpenshiftAssistedConfig v1alpha1. */
    static final List<FieldMapping> V1ALPHA1 = List.of(
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

    /** OpenshiftAssistedConfig v1alpha2. */
    static final List<FieldMapping> V1ALPHA2 = List.of(new SecondForm(
            "status.v1beta1Conditions",
            "status.conditions",
            new OldStyleConditions(),
            "The Go provider writes only this form of the conditions; read status.conditions."));

    /** OpenshiftAssistedConfigTemplate v1alpha1 and v1alpha2: the fields of a template are those of v1beta1. */
    static final List<FieldMapping> TEMPLATES =
            List.of(new OlderOnly("status", "It never had a field; the Go provider writes an empty object."));

    private ConfigMappings() {}
}
