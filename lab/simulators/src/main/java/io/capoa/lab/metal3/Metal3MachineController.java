package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reconciles a Metal3Machine: checks prerequisites, claims a host, reports its Node. */
final class Metal3MachineController {

    /** Condition type of the claim on a host. */
    static final String ASSOCIATE = "AssociateBareMetalHost";

    /** CAPM3's text ({@code Associate} and {@code checkMachineError}). */
    static final String NO_HOST = "failed to associate the Metal3Machine to a BareMetalHost: no available host found."
            + " Requeuing. Object will be requeued after 30s";

    private static final String READY = "Ready";

    private final Caches.Cache<Metal3Machine> metal3Machines;
    private final Caches.Cache<Machine> machines;
    private final Caches.Cache<Cluster> clusters;
    private final Caches.Cache<Metal3DataTemplate> dataTemplates;
    private final HostClaim claim;
    private final ProviderIdMatch nodes;
    private final Writes writes;

    Metal3MachineController(
            Caches.Cache<Metal3Machine> metal3Machines,
            Caches.Cache<Machine> machines,
            Caches.Cache<Cluster> clusters,
            Caches.Cache<Metal3DataTemplate> dataTemplates,
            HostClaim claim,
            ProviderIdMatch nodes,
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
        WorkingCopy<Metal3Machine> working = new WorkingCopy<>(metal3Machine);
        if (Metal3.isDeleting(metal3Machine)) {
            if (claim.release(metal3Machine)) {
                working.withoutFinalizer(Metal3.MACHINE_FINALIZER);
                writes.patch(metal3Machine, working.change());
            }
            return null;
        }
        if (machine == null || cluster == null) {
            return null;
        }
        working.finalizer(Metal3.MACHINE_FINALIZER);
        forward(working, machine, cluster);
        working.write(writes);
        return null;
    }

    private void forward(WorkingCopy<Metal3Machine> working, Machine machine, Cluster cluster) {
        if (working.isTrue("status", "initialization", "provisioned") && working.get("spec", "providerID") != null) {
            return;
        }
        if (!Fields.isTrue(cluster, "status", "initialization", "infrastructureProvisioned")) {
            waiting(
                    working,
                    "WaitingForClusterInfrastructureReady",
                    "Waiting for Metal3Cluster Controller to create cluster infrastructure");
            return;
        }
        String secret = Fields.string(machine, "spec", "bootstrap", "dataSecretName");
        if (secret == null) {
            waiting(working, "WaitingForBootstrapData", "Waiting for bootstrap data to be ready before proceeding");
            return;
        }
        String refusal = dataRefusal(working);
        if (refusal != null) {
            waiting(working, "WaitingForMetal3Data", refusal);
            return;
        }
        if (working.get("status", "userData") == null) {
            Object own = working.get("spec", "userData");
            Object given = java.util.Map.of(
                    "name", secret, "namespace", machine.getMetadata().getNamespace());
            working.set(own == null ? given : own, "status", "userData");
        }
        Optional<BareMetalHost> host = claim.take(working, machine, cluster);
        if (host.isEmpty()) {
            waiting(working, "AssociateBareMetalHostFailed", NO_HOST);
            return;
        }
        working.set(
                host.get().getMetadata().getNamespace() + "/"
                        + host.get().getMetadata().getName(),
                "metadata",
                "annotations",
                Metal3.HOST_ANNOTATION);
        working.condition(ASSOCIATE, "True", "AssociateBareMetalHostSuccess", "");
        follow(working, machine, cluster, host.get());
    }

    private void follow(WorkingCopy<Metal3Machine> working, Machine machine, Cluster cluster, BareMetalHost host) {
        String error = Fields.string(host, "status", "errorMessage");
        if (error != null) {
            working.condition(
                    READY,
                    "False",
                    "BareMetalHostError",
                    "BareMetalHost " + host.getMetadata().getName() + ": " + error);
            return;
        }
        if (!Metal3.state(host).equals("provisioned")) {
            working.condition(
                    READY,
                    "False",
                    "WaitingForBareMetalHost",
                    "BareMetalHost " + host.getMetadata().getName() + " is " + Metal3.state(host));
            return;
        }
        Addresses.write(working, host);
        ProviderIdMatch.Result result = nodes.match(working.read(), machine, cluster, host);
        if (result.providerId() == null) {
            working.condition(READY, "False", "SettingProviderIDOnNodeFailed", result.message());
            return;
        }
        working.set(result.providerId(), "spec", "providerID");
        working.set(true, "status", "initialization", "provisioned");
        working.condition(READY, "True", READY, "");
    }

    /** Ready is a summary, which lists conditions that are not yet reported too (CAPM3, {@code patchMetal3Machine}). */
    private static void waiting(WorkingCopy<Metal3Machine> working, String reason, String message) {
        working.condition(ASSOCIATE, "False", reason, message);
        working.condition(READY, "False", "NotReady", """
                * %s: %s
                * AssociateMetal3MachineMetaData: Condition not yet reported
                * Metal3DataReady: Condition not yet reported""".formatted(ASSOCIATE, message));
    }

    /** Rejects a Metal3DataTemplate with content, which the lab does not render. */
    private @Nullable String dataRefusal(WorkingCopy<Metal3Machine> working) {
        if (!(working.get("spec", "dataTemplate", "name") instanceof String name)) {
            return null;
        }
        Metal3DataTemplate template =
                dataTemplates.get(new Key(working.read().getMetadata().getNamespace(), name));
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
