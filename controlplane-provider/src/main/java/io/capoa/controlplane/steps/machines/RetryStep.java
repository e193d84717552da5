package io.capoa.controlplane.steps.machines;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.RetryRequest;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Retries a failed installation. assisted-service cannot resume one: the install objects are deleted and recreated, and
 * all Machines that it installs are replaced, so that their hosts boot and register again. The kubeconfig of the failed
 * cluster is deleted too.
 */
public final class RetryStep {

    private final KubernetesClient client;
    private final Applier applier;
    private final Fence fence;

    public RetryStep(KubernetesClient client, Applier applier, Fence fence) {
        this.client = client;
        this.applier = applier;
        this.fence = fence;
    }

    /**
     * Deletes the failed installation. The AgentClusterInstall comes last, because it shows that the retry is due. Machines
     * that are younger than its deletion belong to the new installation; the deletion may not have reached the caches yet.
     */
    public void apply(ControlPlaneObservation observation) {
        AgentClusterInstall seen = observation.install();
        AgentClusterInstall failed = seen == null || fence.obstacle(observation) != null
                ? null
                : fence.actual(AgentClusterInstall.class, seen);
        if (failed == null || !RetryRequest.isDue(observation.identity(), failed)) {
            return;
        }
        Stream.concat(observation.machines().stream(), workers(observation.identity()))
                .filter(machine -> isPartOf(machine, failed))
                .forEach(applier::delete);
        Secret kubeconfig = observation.kubeconfig();
        if (kubeconfig != null && observation.identity().controls(kubeconfig)) {
            applier.delete(kubeconfig);
        }
        Stream.<@Nullable HasMetadata>of(observation.deployment(), failed)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .forEach(applier::delete);
    }

    private static boolean isPartOf(Machine machine, AgentClusterInstall failed) {
        String deleted = failed.getMetadata().getDeletionTimestamp();
        return deleted == null
                || Instant.parse(machine.getMetadata().getCreationTimestamp()).isBefore(Instant.parse(deleted));
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

    /** Workers of other bootstrap providers are not part of the installation. */
    static boolean isInstalledByAssistedService(Machine machine) {
        return MachineView.of(machine)
                .bootstrap()
                .configRef()
                .isTo(OpenshiftAssistedConfig.GROUP, HasMetadata.getKind(OpenshiftAssistedConfig.class));
    }
}
