package io.capoa.bootstrap.admission;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.rules.ConfigSpecRules;
import io.capoa.api.rules.Findings;
import io.capoa.api.rules.IgnitionOverrides;
import io.capoa.api.rules.Section;
import io.capoa.runtime.webhook.Validator;

/**
 * Rules for configs. That their spec does not change is said by the CRD; annotations may change, and reach hosts that are
 * not approved yet.
 */
public final class ConfigValidator implements Validator<OpenshiftAssistedConfig> {

    @Override
    public void validate(Change<OpenshiftAssistedConfig> change, Findings findings) {
        Section config = new Section("", false, findings);
        IgnitionOverrides.check(config, change.object().getMetadata().getAnnotations());
        ConfigSpecRules.check(config.in("spec"), change.object().getSpec());
    }
}
