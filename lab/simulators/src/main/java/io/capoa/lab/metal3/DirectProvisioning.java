package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import java.util.Map;
import java.util.Optional;

/** Metal3 without intermediate states: claims and provisions a host in one write each of spec and status. */
public final class DirectProvisioning {

    private final HostClaim claim;
    private final Writes writes;

    /** Claims hosts of the cache. */
    public DirectProvisioning(Caches.Cache<BareMetalHost> hosts, Writes writes) {
        this.claim = new HostClaim(hosts, writes);
        this.writes = writes;
    }

    /**
     * Provisions a host for the Metal3Machine; nothing is written if that has been done.
     *
     * @param secret name of the bootstrap data Secret
     * @return the host; empty if none is free
     */
    public Optional<BareMetalHost> provision(
            Metal3Machine metal3Machine, Machine machine, Cluster cluster, String secret) {
        WorkingCopy<Metal3Machine> working = new WorkingCopy<>(metal3Machine);
        working.set(Map.of("name", secret, "namespace", machine.getMetadata().getNamespace()), "status", "userData");
        Optional<BareMetalHost> claimed = claim.take(working, machine, cluster);
        claimed.ifPresent(host -> {
            if (!Metal3.state(host).equals("provisioned")) {
                WorkingCopy<BareMetalHost> provisioned = new WorkingCopy<>(host);
                BareMetalHostController.enter(provisioned, "provisioned");
                provisioned.write(writes);
            }
            working.set(
                    host.getMetadata().getNamespace() + "/" + host.getMetadata().getName(),
                    "metadata",
                    "annotations",
                    Metal3.HOST_ANNOTATION);
            working.condition(Metal3MachineController.ASSOCIATE, "True", "AssociateBareMetalHostSuccess", "");
            working.write(writes);
        });
        return claimed;
    }

    /** Reports the Metal3Machine of a host as provisioned; its Node has joined. */
    public Metal3Machine finish(Metal3Machine metal3Machine, BareMetalHost host) {
        WorkingCopy<Metal3Machine> working = new WorkingCopy<>(metal3Machine);
        Addresses.write(working, host);
        working.set(Metal3.providerId(host, metal3Machine), "spec", "providerID");
        working.set(true, "status", "initialization", "provisioned");
        working.condition("Ready", "True", "Ready", "");
        return working.write(writes);
    }
}
