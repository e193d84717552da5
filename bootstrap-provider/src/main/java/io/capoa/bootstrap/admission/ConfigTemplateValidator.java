package io.capoa.bootstrap.admission;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigTemplate;
import io.capoa.api.rules.ConfigSpecRules;
import io.capoa.api.rules.Findings;
import io.capoa.runtime.webhook.Validator;

/**
 * Validates config templates. Templates are mutable (a change applies to configs created later), so the dry runs of
 * Cluster API's topology need no exception.
 */
public final class ConfigTemplateValidator implements Validator<OpenshiftAssistedConfigTemplate> {

    @Override
    public void validate(Change<OpenshiftAssistedConfigTemplate> change, Findings findings) {
        ConfigSpecRules.checkTemplate(change.object(), findings);
    }
}
