package io.capoa.controlplane.install;

import io.capoa.api.LocalReference;
import io.capoa.api.Proxy;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The fields of {@code AgentClusterInstall.spec} as the control plane wants them. */
final class InstallSpec {

    static final String IMAGE_SET = "imageSetRef";

    /** Every field that {@link #wanted} may set. */
    static final List<String> FIELDS = List.of(
            "apiVIPs",
            "clusterDeploymentRef",
            "diskEncryption",
            IMAGE_SET,
            "ingressVIPs",
            "manifestsConfigMapRefs",
            "mastersSchedulable",
            "networking",
            "platformType",
            "provisionRequirements",
            "proxy",
            "sshPublicKey");

    private InstallSpec() {}

    static SortedMap<String, Object> wanted(
            ControlPlaneIdentity identity, Cluster cluster, Collection<MachineDeployment> deployments) {
        SortedMap<String, Object> spec = new TreeMap<>();
        spec.put("clusterDeploymentRef", Map.of("name", identity.name()));
        spec.put(IMAGE_SET, Map.of("name", ImageSet.name(identity)));
        spec.put("networking", Networks.desired(cluster));
        spec.put("provisionRequirements", requirements(identity, deployments));
        ClusterConfig config = identity.controlPlane().getSpec().config();
        Platform platform = Platform.of(config);
        spec.put("platformType", platform.type());
        if (config != null) {
            if (platform == Platform.BARE_METAL) {
                put(spec, "apiVIPs", config.apiVIPs());
                put(spec, "ingressVIPs", config.ingressVIPs());
            }
            put(spec, "sshPublicKey", config.sshAuthorizedKey());
            put(spec, "mastersSchedulable", config.mastersSchedulable());
            put(spec, "manifestsConfigMapRefs", references(config.manifestsConfigMapRefs()));
            put(spec, "diskEncryption", diskEncryption(config.diskEncryption()));
            put(spec, "proxy", proxy(config.proxy()));
        }
        return spec;
    }

    private static Map<String, Object> requirements(
            ControlPlaneIdentity identity, Collection<MachineDeployment> deployments) {
        Integer replicas = identity.controlPlane().getSpec().replicas();
        SortedMap<String, Object> requirements = new TreeMap<>();
        requirements.put("controlPlaneAgents", replicas == null ? 0 : replicas);
        requirements.put("workerAgents", Workers.of(identity.clusterName(), identity.namespace(), deployments));
        return requirements;
    }

    private static @Nullable List<Map<String, String>> references(@Nullable List<LocalReference> references) {
        if (references == null || references.isEmpty()) {
            return null;
        }
        return references.stream()
                .map(LocalReference::name)
                .filter(Objects::nonNull)
                .map(name -> Map.of("name", name))
                .toList();
    }

    private static @Nullable Map<String, Object> diskEncryption(ClusterConfig.@Nullable DiskEncryption encryption) {
        if (encryption == null) {
            return null;
        }
        SortedMap<String, Object> fields = new TreeMap<>();
        put(fields, "enableOn", encryption.enableOn());
        put(fields, "mode", encryption.mode());
        put(fields, "tangServers", encryption.tangServers());
        return fields;
    }

    private static @Nullable Map<String, Object> proxy(@Nullable Proxy proxy) {
        if (proxy == null) {
            return null;
        }
        SortedMap<String, Object> fields = new TreeMap<>();
        put(fields, "httpProxy", proxy.httpProxy());
        put(fields, "httpsProxy", proxy.httpsProxy());
        put(fields, "noProxy", proxy.noProxy());
        return fields;
    }

    private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value);
        }
    }
}
