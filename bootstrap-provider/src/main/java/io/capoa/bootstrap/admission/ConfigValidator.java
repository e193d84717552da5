package io.capoa.bootstrap.admission;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.rules.ConfigSpecRules;
import io.capoa.api.rules.Findings;
import io.capoa.api.rules.IgnitionOverrides;
import io.capoa.api.rules.Section;
import io.capoa.runtime.webhook.Validator;

/**
 * Validates configs. The CRD makes the spec immutable; annotations may change, and apply to hosts that are not
 * approved yet.
 */
public final class ConfigValidator implements Validator<OpenshiftAssistedConfig> {

    @Override
    public void validate(Change<OpenshiftAssistedConfig> change, Findings findings) {
        Section config = new Section("", false, findings);
        IgnitionOverrides.check(config, change.object().getMetadata().getAnnotations());
        ConfigSpecRules.check(config.in("spec"), change.object().getSpec());
    }
}
