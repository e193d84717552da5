package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.actors.Caches;
import io.capoa.lab.actors.Draft;
import io.capoa.lab.actors.Key;
import io.capoa.lab.actors.Writes;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reconciles a Metal3Machine: checks prerequisites, claims a host, reports its Node. */
final class Metal3MachineController {

    /** Condition type of the claim on a host. */
    static final String ASSOCIATE = "AssociateBareMetalHost";

    private static final String READY = "Ready";

    private final Caches.Cache<Metal3Machine> metal3Machines;
    private final Caches.Cache<Machine> machines;
    private final Caches.Cache<Cluster> clusters;
    private final Caches.Cache<Metal3DataTemplate> dataTemplates;
    private final HostClaim claim;
    private final NodeMatch nodes;
    private final Writes writes;

    Metal3MachineController(
            Caches.Cache<Metal3Machine> metal3Machines,
            Caches.Cache<Machine> machines,
            Caches.Cache<Cluster> clusters,
            Caches.Cache<Metal3DataTemplate> dataTemplates,
            HostClaim claim,
            NodeMatch nodes,
            Writes writes) {
        this.metal3Machines = metal3Machines;
        this.machines = machines;
        this.clusters = clusters;
        this.dataTemplates = dataTemplates;
        this.claim = claim;
        this.nodes = nodes;
        this.writes = writes;
    }

    @Nullable
    Duration reconcile(Key key) {
        Metal3Machine metal3Machine = metal3Machines.get(key);
        if (metal3Machine == null) {
            return null;
        }
        String owner = Metal3.owner(metal3Machine, "Machine");
        Machine machine = owner == null ? null : machines.get(new Key(key.namespace(), owner));
        String clusterName = machine == null ? null : Fields.string(machine, "spec", "clusterName");
        Cluster cluster = clusterName == null ? null : clusters.get(new Key(key.namespace(), clusterName));
        boolean paused = Metal3.isPaused(cluster, metal3Machine);
        if (machine != null && cluster != null) {
            claim.hold(metal3Machine, paused);
        }
        if (paused) {
            return null;
        }
        Draft<Metal3Machine> draft = new Draft<>(metal3Machine);
        if (Metal3.isDeleting(metal3Machine)) {
            if (claim.release(metal3Machine)) {
                draft.withoutFinalizer(Metal3.MACHINE_FINALIZER);
                writes.patch(metal3Machine, draft.change());
            }
            return null;
        }
        if (machine == null || cluster == null) {
            return null;
        }
        draft.finalizer(Metal3.MACHINE_FINALIZER);
        forward(draft, machine, cluster);
        draft.write(writes);
        return null;
    }

    private void forward(Draft<Metal3Machine> draft, Machine machine, Cluster cluster) {
        if (draft.isTrue("status", "initialization", "provisioned") && draft.get("spec", "providerID") != null) {
            return;
        }
        if (!Fields.isTrue(cluster, "status", "initialization", "infrastructureProvisioned")) {
            waiting(draft, "WaitingForClusterInfrastructureReady", "Cluster infrastructure is not provisioned yet");
            return;
        }
        String secret = Fields.string(machine, "spec", "bootstrap", "dataSecretName");
        if (secret == null) {
            waiting(draft, "WaitingForBootstrapData", "Machine has no spec.bootstrap.dataSecretName yet");
            return;
        }
        String refusal = dataRefusal(draft);
        if (refusal != null) {
            waiting(draft, "WaitingForMetal3Data", refusal);
            return;
        }
        if (draft.get("status", "userData") == null) {
            Object own = draft.get("spec", "userData");
            Object given = java.util.Map.of(
                    "name", secret, "namespace", machine.getMetadata().getNamespace());
            draft.set(own == null ? given : own, "status", "userData");
        }
        Optional<BareMetalHost> host = claim.take(draft, machine, cluster);
        if (host.isEmpty()) {
            waiting(draft, "AssociateBareMetalHostFailed", "No available host found");
            return;
        }
        draft.set(
                host.get().getMetadata().getNamespace() + "/"
                        + host.get().getMetadata().getName(),
                "metadata",
                "annotations",
                Metal3.HOST_ANNOTATION);
        draft.condition(ASSOCIATE, "True", "AssociateBareMetalHostSuccess", "");
        follow(draft, machine, cluster, host.get());
    }

    private void follow(Draft<Metal3Machine> draft, Machine machine, Cluster cluster, BareMetalHost host) {
        String error = Fields.string(host, "status", "errorMessage");
        if (error != null) {
            draft.condition(
                    READY,
                    "False",
                    "BareMetalHostError",
                    "BareMetalHost " + host.getMetadata().getName() + ": " + error);
            return;
        }
        if (!Metal3.state(host).equals("provisioned")) {
            draft.condition(
                    READY,
                    "False",
                    "WaitingForBareMetalHost",
                    "BareMetalHost " + host.getMetadata().getName() + " is " + Metal3.state(host));
            return;
        }
        Addresses.write(draft, host);
        NodeMatch.Result result = nodes.match(draft.read(), machine, cluster, host);
        if (result.providerId() == null) {
            draft.condition(READY, "False", "SettingProviderIDOnNodeFailed", result.message());
            return;
        }
        draft.set(result.providerId(), "spec", "providerID");
        draft.set(true, "status", "initialization", "provisioned");
        draft.condition(READY, "True", READY, "");
    }

    private static void waiting(Draft<Metal3Machine> draft, String reason, String message) {
        draft.condition(ASSOCIATE, "False", reason, message);
        draft.condition(READY, "False", reason, message);
    }

    /** Rejects a Metal3DataTemplate with content, which the lab does not render. */
    private @Nullable String dataRefusal(Draft<Metal3Machine> draft) {
        if (!(draft.get("spec", "dataTemplate", "name") instanceof String name)) {
            return null;
        }
        Metal3DataTemplate template =
                dataTemplates.get(new Key(draft.read().getMetadata().getNamespace(), name));
        if (template == null) {
            return "Metal3DataTemplate " + name + " does not exist";
        }
        boolean empty = Fields.map(template, "spec", "metaData").isEmpty()
                && Fields.map(template, "spec", "networkData").isEmpty();
        return empty
                ? null
                : "Metal3DataTemplate " + name + " has metaData or networkData, which the lab does not render";
    }
}
