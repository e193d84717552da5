package io.capoa.api.conversion;

import io.capoa.api.conversion.FieldMapping.Moved;
import java.util.List;

/** OpenshiftAssistedControlPlane v1alpha3. */
final class ControlPlaneV1alpha3 {

    private static final String NOTE = "Below machineTemplate.spec, as Cluster API's v1beta2 contract has it.";

    static final List<FieldMapping> MAPPINGS = List.of(
            new Moved(
                    "spec.machineTemplate.infrastructureRef",
                    "spec.machineTemplate.spec.infrastructureRef",
                    ValueConversion.SAME,
                    NOTE),
            new Moved(
                    "spec.machineTemplate.deletion",
                    "spec.machineTemplate.spec.deletion",
                    ValueConversion.SAME,
                    NOTE + " The Go provider sets nodeDeletionTimeoutSeconds to 10 by default."));

    private ControlPlaneV1alpha3() {}
}
