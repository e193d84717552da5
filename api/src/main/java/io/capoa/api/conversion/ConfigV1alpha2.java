package io.capoa.api.conversion;

import io.capoa.api.conversion.FieldMapping.SecondForm;
import java.util.List;

/** OpenshiftAssistedConfig v1alpha2. */
final class ConfigV1alpha2 {

    static final List<FieldMapping> MAPPINGS = List.of(new SecondForm(
            "status.v1beta1Conditions",
            "status.conditions",
            new OldStyleConditions(),
            "The Go provider writes only this form of the conditions; read status.conditions."));

    private ConfigV1alpha2() {}
}
