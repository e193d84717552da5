package io.capoa.controlplane.admission;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneTemplate;
import io.capoa.api.rules.ConfigSpecRules;
import io.capoa.api.rules.Findings;
import io.capoa.api.rules.IgnitionOverrides;
import io.capoa.api.rules.Section;
import io.capoa.runtime.webhook.Validator;

/**
 * Validates OpenshiftAssistedControlPlaneTemplates as far as possible before ClusterClass patches. Templates are
 * mutable, so the topology controller's dry runs need no exception.
 */
public final class ControlPlaneTemplateValidator implements Validator<OpenshiftAssistedControlPlaneTemplate> {

    @Override
    public void validate(Change<OpenshiftAssistedControlPlaneTemplate> change, Findings findings) {
        var spec = change.object().getSpec();
        if (spec == null || spec.template() == null) {
            return;
        }
        Section template = new Section("spec.template", true, findings);
        var metadata = spec.template().metadata();
        var annotations = metadata == null ? null : metadata.annotations();
        IgnitionOverrides.check(template, annotations);
        var wanted = spec.template().spec();
        InstallConfigRules.check(template, wanted == null ? null : wanted.config(), annotations);
        if (wanted == null) {
            return;
        }
        Section section = template.in("spec");
        ConfigSpecRules.check(section.in("openshiftAssistedConfigSpec"), wanted.openshiftAssistedConfigSpec());
        if (wanted.distributionVersion() != null) {
            VersionRules.form(section.in("distributionVersion"), wanted.distributionVersion());
        }
        ReplicaRules.arbiter(section.in("arbiter"), wanted.arbiter(), wanted.distributionVersion(), wanted.config());
        if (wanted.config() != null) {
            NetworkRules.check(section.in("config"), wanted.config());
            PlatformRules.check(section.in("config"), wanted.config());
            SettingsRules.check(section.in("config"), wanted.config(), wanted.openshiftAssistedConfigSpec());
        }
    }
}
