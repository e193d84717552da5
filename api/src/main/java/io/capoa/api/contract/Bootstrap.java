package io.capoa.api.contract;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The {@code bootstrap} field of a Machine's spec: a bootstrap config, a Secret with bootstrap data, or both.
 *
 * @param fields empty if the Machine has none
 */
public record Bootstrap(Map<String, Object> fields) {

    /** The bootstrap config or, in a machine template, the config template. */
    @SuppressWarnings("unchecked")
    public ContractReference configRef() {
        return new ContractReference(
                fields.get("configRef") instanceof Map<?, ?> reference ? (Map<String, Object>) reference : Map.of());
    }

    /** Name of the Secret with the bootstrap data; {@code null} before Cluster API or the user sets it. */
    public @Nullable String dataSecretName() {
        return fields.get("dataSecretName") instanceof String name && !name.isEmpty() ? name : null;
    }
}
