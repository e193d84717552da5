package io.capoa.controlplane.upgrade;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.UPDATING_WORKERS;
import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.WAITING_FOR_RUNTIME_EXTENSION;
import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.WORKERS_REINSTALLED;
import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.WORKER_VERSION_OUTDATED;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigTemplate;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineGroupView;
import io.capoa.api.contract.MachineSet;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.install.Workers;
import io.capoa.controlplane.release.KubernetesVersion;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a change of a MachineDeployment's version does to its hosts. Without a runtime extension Cluster API replaces
 * the Machines, and every host is installed again; with one they are updated in place.
 */
public final class WorkerUpdates {

    /** What is known of the extension that updates Machines in place. */
    public enum Extension {
        /** Registered, with its handlers known. */
        READY,
        /** Registered; its handlers are not known yet. */
        NOT_DISCOVERED,
        /** Not registered, or Cluster API does not have runtime extensions. */
        ABSENT,
        /** Could not be read, as without the right to. */
        UNKNOWN
    }

    /**
     * A MachineDeployment whose version is not the cluster's, or not that of its Machines.
     *
     * @param from the version that its Machines have
     * @param to the version that it asks for if it is rolling, else the one that the cluster runs
     * @param rolling whether it asks for another version than its Machines have
     */
    public record Pending(String name, String from, String to, boolean rolling) {}

    private WorkerUpdates() {}

    /** MachineDeployments to be told about, by name; none while the control plane's nodes run different versions. */
    public static List<Pending> pending(Collection<Machine> controlPlane, Workers workers) {
        Set<String> running = controlPlane.stream()
                .map(machine -> MachineView.of(machine).kubeletVersion())
                .filter(Objects::nonNull)
                .map(KubernetesVersion::plain)
                .collect(Collectors.toSet());
        return workers.deployments().stream()
                .filter(deployment -> !deployment.isMarkedForDeletion())
                .filter(WorkerUpdates::isOfAssistedInstaller)
                .map(deployment -> pending(
                        deployment,
                        workers.sets(),
                        running.size() == 1 ? running.iterator().next() : null))
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(Pending::name))
                .toList();
    }

    /** What is to be done about it; empty if nothing is, or if nothing can be said. */
    public static Optional<Blocker> blocker(List<Pending> pending, Extension extension) {
        List<Pending> rolling = pending.stream().filter(Pending::rolling).toList();
        List<Pending> which = rolling.isEmpty() ? pending : rolling;
        if (which.isEmpty() || extension == Extension.UNKNOWN) {
            return Optional.empty();
        }
        String changes = which.stream()
                .map(one -> "%s from %s to %s".formatted(one.name(), one.from(), one.to()))
                .collect(Collectors.joining(", "));
        if (rolling.isEmpty()) {
            return switch (extension) {
                case READY -> Optional.empty();
                default ->
                    Optional.of(new Blocker(
                            WORKER_VERSION_OUTDATED,
                            ("a change of the version of MachineDeployment %s would reinstall its hosts: first register the"
                                            + " runtime extension, and wait for its condition Discovered")
                                    .formatted(changes)));
            };
        }
        return Optional.of(
                switch (extension) {
                    case READY ->
                        new Blocker(
                                UPDATING_WORKERS,
                                ("the version of MachineDeployment %s is changed in place: see condition Updating of its"
                                                + " Machines; if none has it, Cluster API does not reach the runtime extension")
                                        .formatted(changes));
                    case NOT_DISCOVERED ->
                        new Blocker(
                                WAITING_FOR_RUNTIME_EXTENSION,
                                ("MachineDeployment %s: the handlers of the runtime extension are not known; see condition"
                                                + " Discovered of the ExtensionConfig")
                                        .formatted(changes));
                    default ->
                        new Blocker(
                                WORKERS_REINSTALLED,
                                ("the version of MachineDeployment %s is changed without the runtime extension, so Cluster API"
                                                + " reinstalls its hosts: set the version back, or pause it, and register the"
                                                + " extension")
                                        .formatted(changes));
                });
    }

    private static Optional<Pending> pending(
            MachineDeployment deployment, Collection<MachineSet> sets, @Nullable String running) {
        String wanted = version(deployment);
        if (wanted == null || MachineGroupView.of(deployment).replicas() == 0) {
            return Optional.empty();
        }
        String name = deployment.getMetadata().getName();
        Optional<String> older = sets.stream()
                .filter(set -> isOf(set, deployment) && MachineGroupView.of(set).replicas() > 0)
                .map(WorkerUpdates::version)
                .filter(version -> version != null && !version.equals(wanted))
                .findFirst();
        if (older.isPresent()) {
            return Optional.of(new Pending(name, older.get(), wanted, true));
        }
        return running == null || KubernetesVersion.plain(wanted).equals(running)
                ? Optional.empty()
                : Optional.of(new Pending(name, wanted, "v" + running, false));
    }

    private static boolean isOfAssistedInstaller(MachineDeployment deployment) {
        return HasMetadata.getKind(OpenshiftAssistedConfigTemplate.class)
                .equals(MachineGroupView.of(deployment).bootstrap().configRef().kind());
    }

    private static boolean isOf(MachineSet set, MachineDeployment deployment) {
        return set.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> deployment.getMetadata().getUid().equals(owner.getUid()));
    }

    private static @Nullable String version(GenericKubernetesResource group) {
        return Fields.string(group, "spec", "template", "spec", "version");
    }
}
