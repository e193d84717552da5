package io.capoa.controlplane.workload.removal;

import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.client.Observed;
import io.capoa.controlplane.workload.client.WorkloadClients;
import io.capoa.controlplane.workload.client.WorkloadClusterAccess;
import io.capoa.controlplane.workload.client.WorkloadFailure;
import io.capoa.controlplane.workload.etcd.ClusterNode;
import io.capoa.controlplane.workload.etcd.EtcdCommands;
import io.capoa.controlplane.workload.etcd.OpenshiftMachine;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.controlplane.workload.removal.NodeRemoval.Leaving;
import io.capoa.controlplane.workload.removal.NodeRemoval.Step;
import io.capoa.runtime.write.Deletion;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Performs the next step of a {@link NodeRemoval}, at most one change per call, on what it has just read. It blocks: call
 * it in a reconcile, never in the background.
 */
public final class NodeRemover {

    private NodeRemover() {}

    /** How a call ended. */
    public sealed interface Outcome {

        /** One change was made; look again. */
        record Changed(String message) implements Outcome {}

        /** Nothing was changed, for this is the next step now. */
        record Unchanged(Step step) implements Outcome {}
    }

    /**
     * Reads, decides, and makes at most one change. {@link Step.Released} is an outcome as final as a change.
     *
     * @param kubeconfig base64, as a Secret holds it
     * @param check asked immediately before a change: why none may be made, {@code null} if one may
     */
    public static Outcome proceed(String kubeconfig, Leaving leaving, Supplier<@Nullable String> check, Clock clock) {
        try (WorkloadClients.Lease lease = WorkloadClusterAccess.open(kubeconfig)) {
            KubernetesClient client = lease.client();
            Observed<EtcdState> seen = InstalledCluster.etcdState(client, clock);
            Step step = NodeRemoval.next(leaving, seen, clock.instant());
            if (!step.isFinal()) {
                return new Outcome.Unchanged(step);
            }
            String obstacle = check.get();
            if (obstacle == null && !seen.isFresh(clock.instant())) {
                obstacle = "the cluster answers too slowly for a safe decision";
            }
            return obstacle == null ? change(client, step) : new Outcome.Unchanged(new Step.Wait(obstacle));
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return new Outcome.Unchanged(new Step.Unreachable(WorkloadFailure.words(e)));
        }
    }

    private static Outcome change(KubernetesClient client, Step step) {
        return switch (step) {
            case Step.DeleteNode delete -> {
                new Deletion(client).send(node(delete.node()), false);
                yield new Outcome.Changed(
                        "Node " + delete.node().name() + " is deleted; its etcd member is removed next");
            }
            case Step.DeleteMachine delete -> {
                new Deletion(client).send(machine(delete.machine()), false);
                yield new Outcome.Changed(
                        "Machine openshift-machine-api/" + delete.machine().name()
                                + " of the cluster itself is deleted; its etcd operator removes the member");
            }
            case Step.RemoveMember remove -> remove(client, remove);
            default -> new Outcome.Unchanged(step);
        };
    }

    private static Outcome remove(KubernetesClient client, Step.RemoveMember remove) {
        try {
            new EtcdCommands(client).remove(remove.pod(), remove.member());
            return new Outcome.Changed("etcd member " + remove.member().label() + " is removed");
        } catch (EtcdCommands.CommandFailure e) {
            return new Outcome.Unchanged(new Step.Wait(String.valueOf(e.getMessage())));
        }
    }

    private static Node node(ClusterNode node) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(node.name())
                .withUid(node.uid())
                .endMetadata()
                .build();
    }

    private static HasMetadata machine(OpenshiftMachine machine) {
        OpenshiftMachineObject object = new OpenshiftMachineObject();
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace("openshift-machine-api")
                .withName(machine.name())
                .withUid(machine.uid())
                .build());
        return object;
    }
}
