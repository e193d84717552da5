package io.capoa.api.contract;

import io.capoa.api.Annotations;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Read view of a Cluster. */
public record ClusterView(Cluster object) implements ObjectView {

    /** Address of the API server. */
    public record Endpoint(String host, int port) {}

    /** The view; an absent Cluster reads as an empty one. */
    public static ClusterView of(@Nullable Cluster cluster) {
        return new ClusterView(Objects.requireNonNullElseGet(cluster, Cluster::new));
    }

    public boolean isPaused() {
        return Fields.isTrue(object, "spec", "paused");
    }

    public ContractReference controlPlaneRef() {
        return new ContractReference(Fields.map(object, "spec", "controlPlaneRef"));
    }

    /** The Kubernetes version that the topology asks for; {@code null} without a topology. */
    public @Nullable String topologyVersion() {
        return Fields.string(object, "spec", "topology", "version");
    }

    /** The version that an upgrade over several minor versions has reached; {@code null} without one. */
    public @Nullable String upgradeStep() {
        Map<String, String> annotations =
                object.getMetadata() == null ? null : object.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(Annotations.TOPOLOGY_UPGRADE_STEP);
    }

    /** Empty until host and port are set; port 0 is Cluster API's "not set". */
    public Optional<Endpoint> controlPlaneEndpoint() {
        String host = Fields.string(object, "spec", "controlPlaneEndpoint", "host");
        Integer port = Fields.integer(object, "spec", "controlPlaneEndpoint", "port");
        return host == null || port == null || port == 0 ? Optional.empty() : Optional.of(new Endpoint(host, port));
    }

    /** CIDRs of the pod networks, primary IP family first. */
    public List<String> podCidrs() {
        return cidrs("pods");
    }

    /** CIDRs of the service networks, primary IP family first. */
    public List<String> serviceCidrs() {
        return cidrs("services");
    }

    public boolean isInfrastructureProvisioned() {
        return Fields.isTrue(object, "status", "initialization", "infrastructureProvisioned");
    }

    /** Names of the failure domains that take control plane Machines. */
    public List<String> controlPlaneFailureDomains() {
        return Fields.list(object, "status", "failureDomains").stream()
                .filter(domain -> Fields.isTrue(domain, "controlPlane"))
                .map(domain -> Fields.any(domain, "name"))
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .toList();
    }

    private List<String> cidrs(String network) {
        return Fields.list(object, "spec", "clusterNetwork", network, "cidrBlocks").stream()
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .toList();
    }
}
