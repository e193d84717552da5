package io.capoa.controlplane.plan;

import io.capoa.api.Annotations;
import io.capoa.api.LocalReference;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.api.rules.CommonSettings;
import io.capoa.api.rules.Findings;
import io.capoa.api.rules.Section;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageRegistry;
import io.capoa.controlplane.install.InstallManifests;
import io.capoa.controlplane.install.InstallPullSecret;
import io.capoa.controlplane.install.Platform;
import io.capoa.controlplane.mirror.MirrorConfigMap;
import io.capoa.controlplane.mirror.MirrorRegistry;
import io.capoa.controlplane.plan.PlanFinding.Severity;
import io.capoa.controlplane.plan.PlanFinding.Subject;
import io.capoa.controlplane.plan.PlanInput.Absence;
import io.capoa.controlplane.release.Architecture;
import io.capoa.controlplane.release.PullSecret;
import io.capoa.controlplane.release.ReleasePreflight;
import io.capoa.controlplane.release.ReleaseReference;
import io.capoa.lint.AcceptedFindings;
import io.capoa.lint.ManifestLint;
import io.capoa.lint.manifest.Finding;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Release, pull secrets, mirrors and manifests of an installation: what its Secrets and ConfigMaps hold. */
final class InputPlan {

    private static final String MIRRORS = "spec.config.imageRegistryRef";
    private static final String MANIFESTS = "spec.config.manifestsConfigMapRefs";
    private static final String PULL_SECRET = "spec.config.pullSecretRef";

    private final PlanInput input;
    private final ControlPlaneIdentity identity;
    private final Subject controlPlane;
    private final List<PlanFinding> findings = new ArrayList<>();

    private InputPlan(PlanInput input, ControlPlaneIdentity identity) {
        this.input = input;
        this.identity = identity;
        this.controlPlane = Subject.of(identity.controlPlane());
    }

    static List<PlanFinding> of(PlanInput input, ControlPlaneIdentity identity, List<HostPool> pools) {
        InputPlan plan = new InputPlan(input, identity);
        if (!input.isOfReconcile()) {
            MirrorRegistry mirrors = plan.mirrors();
            plan.release(plan.pullSecret(), mirrors, pools);
            plan.manifests(mirrors);
        }
        pools.forEach(plan::discovery);
        return plan.findings;
    }

    private @Nullable MirrorRegistry mirrors() {
        String name = ImageRegistry.chosen(identity);
        ConfigMap map = name == null
                ? null
                : find(ConfigMap.class, "ConfigMap", name, MIRRORS).orElse(null);
        if (map == null) {
            return null;
        }
        return switch (MirrorRegistry.read(map)) {
            case MirrorRegistry.Reading.Usable usable -> {
                Findings certificates = new Findings();
                CommonSettings.certificates(
                        new Section("data." + MirrorRegistry.CA_KEY, false, certificates),
                        usable.registry().caBundle());
                certificates
                        .doubtful()
                        .forEach(doubt -> findings.add(PlanFinding.ofSentence(
                                PlanCheck.CERTIFICATE,
                                Severity.WARNING,
                                Subject.of(map),
                                doubt.field(),
                                doubt.sentence(),
                                "hosts do not trust what it has signed")));
                yield usable.registry();
            }
            case MirrorRegistry.Reading.Unusable unusable -> {
                findings.add(PlanFinding.blocking(
                        PlanCheck.MIRRORS,
                        Subject.of(map),
                        "data",
                        unusable.message(),
                        "the release is not resolved",
                        "correct the ConfigMap"));
                yield null;
            }
        };
    }

    private Optional<PullSecret> pullSecret() {
        String name = InstallPullSecret.chosen(identity);
        return name == null ? Optional.of(PullSecret.anonymous()) : pullSecret(name, PULL_SECRET);
    }

    /** Of what cannot be read as a whole nothing more is said. */
    private Optional<PullSecret> pullSecret(String name, String path) {
        Secret secret = find(Secret.class, "Secret", name, path).orElse(null);
        if (secret == null) {
            return Optional.empty();
        }
        byte[] content = content(secret);
        if (content.length == 0) {
            findings.add(PlanFinding.blocking(
                    PlanCheck.PULL_SECRET,
                    Subject.of(secret),
                    "data",
                    "has no key %s that can be read".formatted(PullSecret.KEY),
                    "registries are asked with the credentials in it",
                    "add it, in base64 under data or as text under stringData"));
            return Optional.empty();
        }
        PullSecret parsed = PullSecret.parse(content);
        parsed.refusal()
                .ifPresent(problem -> findings.add(PlanFinding.blocking(
                        PlanCheck.PULL_SECRET,
                        Subject.of(secret),
                        "data[%s]".formatted(PullSecret.KEY),
                        problem,
                        "assisted-service refuses the pull secret",
                        "write {\"auths\":{\"quay.io\":{\"auth\":\"…\"}}}, as the OpenShift console gives it")));
        return parsed.problem().isEmpty() ? Optional.of(parsed) : Optional.empty();
    }

    private static byte[] content(Secret secret) {
        String text =
                secret.getStringData() == null ? null : secret.getStringData().get(PullSecret.KEY);
        String encoded = secret.getData() == null ? null : secret.getData().get(PullSecret.KEY);
        try {
            return text != null
                    ? text.getBytes(StandardCharsets.UTF_8)
                    : encoded == null ? new byte[0] : Base64.getMimeDecoder().decode(encoded);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private void release(Optional<PullSecret> secret, @Nullable MirrorRegistry mirrors, List<HostPool> pools) {
        OpenshiftAssistedControlPlaneSpec spec = identity.controlPlane().getSpec();
        TreeSet<String> architectures = new TreeSet<>();
        pools.forEach(pool -> architectures.add(pool.architecture()));
        String image = ReleaseReference.image(
                spec.distributionVersion(),
                Annotations.value(identity.controlPlane(), Annotations.RELEASE_IMAGE_REPOSITORY_OVERRIDE),
                Architecture.of(architectures));
        ReleasePreflight preflight;
        try {
            preflight = ReleasePreflight.of(
                    image, secret.orElseGet(PullSecret::anonymous), mirrors == null ? null : mirrors.conf());
        } catch (IllegalArgumentException e) {
            findings.add(PlanFinding.ofSentence(
                    PlanCheck.MIRRORS,
                    Severity.BLOCKING,
                    controlPlane,
                    "spec.distributionVersion",
                    String.valueOf(e.getMessage()),
                    "the release is not resolved"));
            return;
        }
        if (preflight.sources().isEmpty()) {
            findings.add(PlanFinding.blocking(
                    PlanCheck.MIRRORS,
                    controlPlane,
                    MIRRORS,
                    "no mirror serves %s, whose registry is blocked".formatted(image),
                    "the release is not resolved",
                    "add a [[registry.mirror]] for it that serves tags, or remove blocked"));
        }
        preflight
                .brokenLogin()
                .ifPresent(problem -> findings.add(PlanFinding.blocking(
                        PlanCheck.REGISTRY_LOGIN,
                        controlPlane,
                        PULL_SECRET,
                        problem,
                        "the release cannot be read",
                        "correct the entry")));
        boolean askedForLogin = secret.isPresent()
                && preflight.anonymous().stream().anyMatch(ReleaseReference.OPENSHIFT_REPOSITORY::equals);
        if (askedForLogin && InstallPullSecret.chosen(identity) != null) {
            findings.add(PlanFinding.warning(
                    PlanCheck.REGISTRY_LOGIN,
                    controlPlane,
                    PULL_SECRET,
                    "has no entry for " + ReleaseReference.OPENSHIFT_REPOSITORY,
                    "its images ask for credentials",
                    "add the entry quay.io of your pull secret"));
        }
        findings.add(PlanFinding.unknown(
                PlanCheck.RELEASE_NOT_ASKED,
                controlPlane,
                "spec.distributionVersion",
                "%s was not looked up (%s)".formatted(image, String.join(", then ", preflight.sources())),
                "a plan asks no registry",
                "let the control plane resolve it, or run skopeo inspect docker://" + image));
    }

    /** Secrets that the discovery of hosts needs. */
    private void discovery(HostPool pool) {
        LocalReference reference = pool.spec() == null ? null : pool.spec().pullSecretRef();
        String name = reference == null ? null : reference.name();
        if (name != null && !name.isEmpty() && !name.equals(InstallPullSecret.chosen(identity))) {
            var unused = pullSecret(name, pool.specPath() + ".pullSecretRef");
        }
    }

    private void manifests(@Nullable MirrorRegistry mirrors) {
        List<ConfigMap> maps = new ArrayList<>();
        List<String> names = InstallManifests.chosen(identity);
        names.forEach(
                name -> find(ConfigMap.class, "ConfigMap", name, MANIFESTS).ifPresent(maps::add));
        List<ConfigMap> all = new ArrayList<>(maps);
        if (mirrors != null) {
            all.add(MirrorConfigMap.desired(identity, mirrors));
        }
        String problem = InstallManifests.problem(all);
        if (problem != null) {
            findings.add(PlanFinding.ofSentence(
                    PlanCheck.MANIFESTS,
                    Severity.BLOCKING,
                    controlPlane,
                    MANIFESTS,
                    problem,
                    "assisted-service refuses the manifests"));
        }
        if (maps.size() < names.size()
                || !Platform.hasUsersCloudControllerManager(
                        identity.controlPlane().getSpec().config())) {
            return;
        }
        ManifestLint lint = ManifestLint.of(
                InstallManifests.files(maps),
                Objects.equals(identity.controlPlane().getSpec().replicas(), 1));
        lint.blocking(AcceptedFindings.of(identity.controlPlane().getMetadata().getAnnotations()))
                .forEach(finding -> findings.add(linted(finding, Severity.BLOCKING)));
        lint.warnings().forEach(finding -> findings.add(linted(finding, Severity.WARNING)));
    }

    private PlanFinding linted(Finding finding, Severity severity) {
        return new PlanFinding(
                PlanCheck.CLOUD_CONTROLLER_MANAGER,
                severity,
                controlPlane,
                MANIFESTS,
                "%s, %s: %s".formatted(finding.object(), finding.path(), finding.what()),
                finding.why(),
                finding.remedy());
    }

    private <T extends HasMetadata> Optional<T> find(Class<T> type, String kind, String name, String path) {
        Subject subject = new Subject(kind, identity.namespace(), name);
        Optional<T> found = input.find(type, subject);
        if (found.isEmpty()) {
            boolean secret = kind.equals("Secret");
            Absence absence = input.absence(kind);
            findings.add(new PlanFinding(
                    secret ? PlanCheck.PULL_SECRET : PlanCheck.CONFIG_MAP_MISSING,
                    // No one has Secrets among files.
                    secret && absence == Absence.NOT_GIVEN ? Severity.UNKNOWN : absence.severity(),
                    controlPlane,
                    path,
                    subject + " " + absence.described(),
                    "the installation does not start without it",
                    "create it"
                            + (absence == Absence.NOT_GIVEN ? ", and add it here to have its content checked" : "")));
        }
        return found;
    }
}
