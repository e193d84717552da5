package io.capoa.controlplane.controlplane;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a failed installation when the user asks for it. assisted-service does not resume a failed installation: what it
 * installs from is deleted and recreated, and the hosts have to boot and register again, for which all Machines that it
 * installs are replaced. The kubeconfig of the failed cluster goes, too: nothing answers to it any more.
 */
final class RetryStep {

    private final KubernetesClient client;
    private final Applier applier;

    RetryStep(KubernetesClient client, Applier applier) {
        this.client = client;
        this.applier = applier;
    }

    /** Whether a retry was asked for that has not begun: the failed AgentClusterInstall was made under another value. */
    static boolean isDue(ControlPlaneObservation observation) {
        AgentClusterInstall install = observation.install();
        String asked = asked(observation.identity());
        return install != null
                && asked != null
                && observation.installFailed()
                && !asked.equals(value(install.getMetadata().getAnnotations()));
    }

    /** Writes down in a new AgentClusterInstall under which value it is made; one that exists keeps its own. */
    static void mark(ControlPlaneIdentity identity, @Nullable AgentClusterInstall existing, HasMetadata desired) {
        String value = existing == null
                ? asked(identity)
                : value(existing.getMetadata().getAnnotations());
        if (value != null) {
            Map<String, String> annotations = desired.getMetadata().getAnnotations();
            Map<String, String> marked =
                    annotations == null ? new java.util.TreeMap<>() : new java.util.TreeMap<>(annotations);
            marked.put(Annotations.RETRY_INSTALL, value);
            desired.getMetadata().setAnnotations(marked);
        }
    }

    /**
     * Deletes what has failed. The AgentClusterInstall goes last: while it is there, the retry is known to be due. Once it
     * goes, Machines that are younger are those of the new installation.
     */
    void apply(ControlPlaneObservation observation) {
        Stream.concat(observation.machines().stream(), workers(observation.identity()))
                .filter(machine -> isPartOf(machine, observation.install()))
                .forEach(applier::delete);
        Secret kubeconfig = observation.kubeconfig();
        if (kubeconfig != null && observation.identity().controls(kubeconfig)) {
            applier.delete(kubeconfig);
        }
        Stream.<@Nullable HasMetadata>of(observation.deployment(), observation.install())
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .forEach(applier::delete);
    }

    private static boolean isPartOf(Machine machine, @Nullable AgentClusterInstall failed) {
        String going = failed == null ? null : failed.getMetadata().getDeletionTimestamp();
        return going == null
                || Instant.parse(machine.getMetadata().getCreationTimestamp()).isBefore(Instant.parse(going));
    }

    private Stream<Machine> workers(ControlPlaneIdentity identity) {
        return client
                .resources(Machine.class)
                .inNamespace(identity.namespace())
                .withLabel(Labels.CLUSTER_NAME, identity.clusterName())
                .withoutLabel(Labels.CONTROL_PLANE)
                .list()
                .getItems()
                .stream()
                .filter(RetryStep::isInstalledByAssistedService);
    }

    /** Workers of other bootstrap providers have nothing to do with this installation. */
    static boolean isInstalledByAssistedService(Machine machine) {
        return MachineView.of(machine)
                .bootstrap()
                .configRef()
                .isTo(OpenshiftAssistedConfig.GROUP, HasMetadata.getKind(OpenshiftAssistedConfig.class));
    }

    private static @Nullable String asked(ControlPlaneIdentity identity) {
        return value(identity.controlPlane().getMetadata().getAnnotations());
    }

    private static @Nullable String value(@Nullable Map<String, String> annotations) {
        return annotations == null ? null : annotations.get(Annotations.RETRY_INSTALL);
    }
}
