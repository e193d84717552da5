package io.capoa.api.conversion;

import io.capoa.api.conversion.FieldMapping.OlderOnly;
import java.util.List;

/** OpenshiftAssistedConfigTemplate v1alpha1 and v1alpha2: the fields of a template are those of v1beta1. */
final class ConfigTemplates {

    static final List<FieldMapping> MAPPINGS =
            List.of(new OlderOnly("status", "It never had a field; the Go provider writes an empty object."));

    private ConfigTemplates() {}
}
