package io.capoa.controlplane.steps.install;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.EventReasons;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.InstallManifests;
import io.capoa.controlplane.install.Platform;
import io.capoa.lint.AcceptedFindings;
import io.capoa.lint.ManifestLint;
import io.capoa.lint.manifest.Finding;
import io.capoa.lint.manifest.ManifestFile;
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
import java.util.stream.Stream;
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

    /** @param content digest of what was linted */
    private record Linted(Input input, String content, ManifestLint lint) {}

    /** @param accepted for the Event; empty if no finding is accepted */
    private record Result(Linted linted, String accepted) {

        List<Finding> warnings() {
            return linted.lint().warnings();
        }
    }

    /** Lints manifests. */
    interface Linter {

        ManifestLint of(List<ManifestFile> files, boolean singleNode);
    }

    private final Map<ResourceID, Result> results = new ConcurrentHashMap<>();
    private final Events events;
    private final InputMemory memory;
    private final Linter linter;

    public CloudControllerManagerCheck(Events events, InputMemory memory) {
        this(events, memory, ManifestLint::of);
    }

    CloudControllerManagerCheck(Events events, InputMemory memory, Linter linter) {
        this.events = events;
        this.memory = memory;
        this.linter = linter;
    }

    /**
     * Why the installation must not start, or not yet; {@code null} if nothing speaks against it, or if the platform has no
     * cloud controller manager of the user's.
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
        AcceptedFindings accepted =
                AcceptedFindings.of(controlPlane.getMetadata().getAnnotations());
        Result before = results.get(id);
        if (before != null && before.linted().input().equals(input)) {
            return judged(controlPlane, before, before.linted(), accepted);
        }
        List<ManifestFile> files = InstallManifests.files(maps);
        String content = memory.digest(content(files, singleNode));
        String digest = digest(content, accepted);
        long length = files.stream().mapToLong(file -> file.text().length()).sum();
        return switch (memory.next(controlPlane, digest, length)) {
            case InputMemory.Next.Refused refused -> invalid(refused.message());
            case InputMemory.Next.GiveUp ignored ->
                invalid(InputMemory.refused(
                        "the manager ended or failed %d times while it checked the manifests of"
                                        .formatted(InputMemory.ATTEMPTS)
                                + " spec.config.manifestsConfigMapRefs: remove what the installation does not need;"
                                + " they are checked again when they change",
                        digest));
            case InputMemory.Next.Announce announce ->
                new Blocker(
                        ControlPlaneConditions.CHECKING_MANIFESTS,
                        InputMemory.checking(
                                "the manifests of spec.config.manifestsConfigMapRefs are being checked",
                                digest,
                                announce.attempt()));
            case InputMemory.Next.Parse ignored ->
                judged(controlPlane, before, new Linted(input, content, linter.of(files, singleNode)), accepted);
        };
    }

    private @Nullable Blocker judged(
            OpenshiftAssistedControlPlane controlPlane,
            @Nullable Result before,
            Linted linted,
            AcceptedFindings accepted) {
        ManifestLint lint = linted.lint();
        Result now = new Result(linted, acceptance(lint.accepted(accepted), accepted));
        results.put(ResourceID.fromResource(controlPlane), now);
        record(controlPlane, before, now);
        List<Finding> blocking = lint.blocking(accepted);
        return blocking.isEmpty()
                ? null
                : invalid(InputMemory.refused(message(blocking), digest(linted.content(), accepted)));
    }

    private static List<String> content(List<ManifestFile> files, boolean singleNode) {
        return Stream.concat(
                        Stream.of("manifests", String.valueOf(singleNode)),
                        files.stream().flatMap(file -> Stream.of(file.name(), file.text())))
                .toList();
    }

    private String digest(String content, AcceptedFindings accepted) {
        return memory.digest(Stream.concat(
                        Stream.of(content), accepted.reasons().keySet().stream().sorted())
                .toList());
    }

    private static Blocker invalid(String message) {
        return new Blocker(ControlPlaneConditions.CLOUD_CONTROLLER_MANAGER_MANIFESTS_INVALID, message);
    }

    private void record(OpenshiftAssistedControlPlane controlPlane, @Nullable Result before, Result now) {
        List<Finding> warnings = now.warnings();
        if (!warnings.isEmpty() && (before == null || !before.warnings().equals(warnings))) {
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
        memory.forget(controlPlane);
    }

    /** A ConfigMap that is deleted and recreated has another UID. */
    static String version(ConfigMap map) {
        return map.getMetadata().getName() + " " + map.getMetadata().getUid() + " "
                + map.getMetadata().getResourceVersion();
    }

    private static String message(List<Finding> findings) {
        String more = findings.size() == 1 ? "" : " (and %d more)".formatted(findings.size() - 1);
        return "the cloud controller manager in spec.config.manifestsConfigMapRefs cannot run: "
                + findings.getFirst().sentence()
                + "; to install nevertheless, annotate the control plane with "
                + Annotations.ACCEPT_CCM_FINDING + findings.getFirst().id() + "=<your reason>" + more;
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
