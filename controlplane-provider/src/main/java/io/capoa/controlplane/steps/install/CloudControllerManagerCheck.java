package io.capoa.controlplane.steps.install;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.EventReasons;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.ccm.AcceptedFindings;
import io.capoa.controlplane.ccm.ManifestLint;
import io.capoa.controlplane.ccm.manifest.Finding;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.InstallManifests;
import io.capoa.controlplane.install.Platform;
import io.capoa.runtime.events.RecordedEvent;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lints the manifests of the user's cloud controller manager. A result is kept until a ConfigMap changes, so that a
 * reconcile costs nothing; new warnings are recorded as one Event, and so are findings that the user accepts.
 */
public final class CloudControllerManagerCheck {

    /** Records an Event of a control plane. */
    public interface Events extends BiConsumer<OpenshiftAssistedControlPlane, RecordedEvent> {}

    /** @param versions of the ConfigMaps, in order */
    private record Input(boolean singleNode, List<String> versions) {}

    /** @param accepted for the Event; empty if no finding is accepted */
    private record Result(Input input, ManifestLint lint, String accepted) {}

    private final Map<ResourceID, Result> results = new ConcurrentHashMap<>();
    private final Events events;

    public CloudControllerManagerCheck(Events events) {
        this.events = events;
    }

    /**
     * Why the installation must not start; {@code null} if nothing speaks against it, or if the platform has no cloud
     * controller manager of the user's.
     *
     * @param maps the ConfigMaps that the spec names, all of which exist
     */
    @Nullable
    Blocker check(ControlPlaneIdentity identity, List<ConfigMap> maps) {
        OpenshiftAssistedControlPlane controlPlane = identity.controlPlane();
        ResourceID id = ResourceID.fromResource(controlPlane);
        if (!Platform.hasUsersCloudControllerManager(controlPlane.getSpec().config())) {
            forget(id);
            return null;
        }
        boolean singleNode = Objects.equals(controlPlane.getSpec().replicas(), 1);
        Input input = new Input(
                singleNode,
                maps.stream().map(CloudControllerManagerCheck::version).toList());
        Result before = results.get(id);
        ManifestLint lint = before != null && before.input().equals(input)
                ? before.lint()
                : ManifestLint.of(InstallManifests.files(maps), singleNode);
        AcceptedFindings accepted =
                AcceptedFindings.of(controlPlane.getMetadata().getAnnotations());
        Result now = new Result(input, lint, acceptance(lint.accepted(accepted), accepted));
        results.put(id, now);
        record(controlPlane, before, now);
        return blocker(lint.blocking(accepted));
    }

    private void record(OpenshiftAssistedControlPlane controlPlane, @Nullable Result before, Result now) {
        List<Finding> warnings = now.lint().warnings();
        if (!warnings.isEmpty() && (before == null || !before.lint().warnings().equals(warnings))) {
            events.accept(
                    controlPlane,
                    RecordedEvent.warning(EventReasons.CLOUD_CONTROLLER_MANAGER_WARNINGS, note(warnings)));
        }
        if (!now.accepted().isEmpty() && (before == null || !before.accepted().equals(now.accepted()))) {
            events.accept(
                    controlPlane,
                    RecordedEvent.warning(EventReasons.CLOUD_CONTROLLER_MANAGER_FINDINGS_ACCEPTED, now.accepted()));
        }
    }

    /** Drops the result of a control plane that is installed or deleted. */
    void forget(ResourceID controlPlane) {
        results.remove(controlPlane);
    }

    /** A ConfigMap that is deleted and recreated has another UID. */
    static String version(ConfigMap map) {
        return map.getMetadata().getName() + " " + map.getMetadata().getUid() + " "
                + map.getMetadata().getResourceVersion();
    }

    private static @Nullable Blocker blocker(List<Finding> findings) {
        if (findings.isEmpty()) {
            return null;
        }
        String more = findings.size() == 1 ? "" : " (and %d more)".formatted(findings.size() - 1);
        return new Blocker(
                ControlPlaneConditions.CLOUD_CONTROLLER_MANAGER_MANIFESTS_INVALID,
                "the cloud controller manager in spec.config.manifestsConfigMapRefs cannot run: "
                        + findings.getFirst().sentence()
                        + "; to install nevertheless, annotate the control plane with "
                        + Annotations.ACCEPT_CCM_FINDING + findings.getFirst().id() + "=<your reason>" + more);
    }

    private static String acceptance(List<Finding> findings, AcceptedFindings accepted) {
        return findings.isEmpty()
                ? ""
                : findings.stream()
                        .map(finding -> "%s, %s: %s (accepted because: %s)"
                                .formatted(finding.object(), finding.path(), finding.what(), accepted.reason(finding)))
                        .collect(Collectors.joining(
                                "; ",
                                "the installation goes on although the cloud controller manager in"
                                        + " spec.config.manifestsConfigMapRefs may be unable to run: ",
                                ""));
    }

    /** Short, because an Event has room for three findings at most if each says why. */
    private static String note(List<Finding> warnings) {
        StringBuilder note = new StringBuilder()
                .append(warnings.size())
                .append(warnings.size() == 1 ? " warning" : " warnings")
                .append(" about the cloud controller manager in spec.config.manifestsConfigMapRefs,")
                .append(" lint-ccm prints reasons and remedies: ");
        String object = "";
        for (Finding warning : warnings) {
            note.append(object.isEmpty() ? "" : "; ");
            if (!warning.object().equals(object)) {
                object = warning.object();
                note.append(object).append(", ");
            }
            note.append(warning.path()).append(": ").append(warning.what());
        }
        return note.toString();
    }
}
