package io.capoa.controlplane.admission;

import io.capoa.api.Annotations;
import io.capoa.api.LocalReference;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.api.rules.ConfigSpecRules;
import io.capoa.api.rules.Findings;
import io.capoa.api.rules.IgnitionOverrides;
import io.capoa.api.rules.Section;
import io.capoa.controlplane.release.DistributionVersion;
import io.capoa.runtime.webhook.Validator;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Validates OpenshiftAssistedControlPlanes. */
public final class ControlPlaneValidator implements Validator<OpenshiftAssistedControlPlane> {

    @Override
    public void validate(Change<OpenshiftAssistedControlPlane> change, Findings findings) {
        OpenshiftAssistedControlPlane object = change.object();
        Section root = new Section("", false, findings);
        Section section = root.in("spec");
        OpenshiftAssistedControlPlaneSpec spec = object.getSpec();
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        IgnitionOverrides.check(root, annotations);
        InstallConfigRules.check(root, spec.config(), annotations);
        ConfigSpecRules.check(section.in("openshiftAssistedConfigSpec"), spec.openshiftAssistedConfigSpec());
        VersionRules.form(section.in("distributionVersion"), spec.distributionVersion());
        VersionRules.kubernetes(section.in("version"), spec.version(), spec.distributionVersion());
        ReplicaRules.arbiter(section.in("arbiter"), spec.arbiter(), spec.distributionVersion(), spec.config());
        ReplicaRules.arbiterLabels(
                section.in("openshiftAssistedConfigSpec"), spec.arbiter(), spec.openshiftAssistedConfigSpec());
        ClusterConfig config = spec.config();
        if (config == null) {
            section.in("config").warn("is missing, without it nothing is installed: give at least config.baseDomain");
        } else {
            NetworkRules.check(section.in("config"), config);
            PlatformRules.check(section.in("config"), config);
            SettingsRules.check(section.in("config"), config, spec.openshiftAssistedConfigSpec());
            pullSecret(section.in("config"), spec, config, annotations);
        }
        if (change.before() != null) {
            change(section, spec, change.before());
        }
    }

    /** Red Hat's registries require credentials; mirrors may not. */
    private static void pullSecret(
            Section section,
            OpenshiftAssistedControlPlaneSpec spec,
            ClusterConfig config,
            @Nullable Map<String, String> annotations) {
        boolean mirrored = isNamed(config.imageRegistryRef())
                || Section.given(annotations, Annotations.RELEASE_IMAGE_REPOSITORY_OVERRIDE) != null;
        if (!isNamed(config.pullSecretRef()) && !mirrored && !DistributionVersion.isOkd(spec.distributionVersion())) {
            section.in("pullSecretRef")
                    .warn("is missing, and the images of OpenShift ask for credentials: name a Secret with your pull"
                            + " secret, or mirrors in config.imageRegistryRef");
        }
    }

    private static void change(
            Section section, OpenshiftAssistedControlPlaneSpec spec, OpenshiftAssistedControlPlane before) {
        OpenshiftAssistedControlPlaneSpec old = before.getSpec();
        OpenshiftAssistedControlPlaneStatus status = before.getStatus();
        if (!spec.distributionVersion().equals(old.distributionVersion())) {
            VersionRules.change(
                    section.in("distributionVersion"),
                    spec.distributionVersion(),
                    status == null ? null : status.distributionVersion());
        }
        boolean installed = status != null
                && status.initialization() != null
                && Boolean.TRUE.equals(status.initialization().controlPlaneInitialized());
        if (!installed) {
            PlatformRules.change(section.in("config"), spec.config(), old.config());
            return;
        }
        if (!Objects.equals(spec.config(), old.config())) {
            section.in("config").warn("is read when the installation starts: the change does not reach the cluster");
        }
    }

    private static boolean isNamed(@Nullable LocalReference reference) {
        return reference != null && Section.given(reference.name()) != null;
    }
}
