package io.capoa.controlplane.install;

import io.capoa.api.Proxy;
import io.capoa.api.controlplane.v1beta1.ArbiterSettings;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.api.controlplane.v1beta1.PlatformConfig;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.mirror.MirrorConfigMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Desired {@code AgentClusterInstall.spec}. */
final class InstallSpec {

    static final String IMAGE_SET = "imageSetRef";
    static final String HOLD = "holdInstallation";

    /** AgentClusterInstall's own default; the only name that can still be changed. */
    private static final String UNNAMED_PLATFORM = "Unknown";

    /** Every field that {@link #wanted} may set. */
    static final List<String> FIELDS = List.of(
            "apiVIPs",
            "clusterDeploymentRef",
            "diskEncryption",
            "external",
            HOLD,
            IMAGE_SET,
            "ingressVIPs",
            "loadBalancer",
            "manifestsConfigMapRefs",
            "mastersSchedulable",
            "mirrorRegistryRef",
            "networking",
            "ntpSources",
            "platformType",
            "provisionRequirements",
            "proxy",
            "sshPublicKey");

    private InstallSpec() {}

    /**
     * Builds the desired spec.
     *
     * @param present the existing spec, or empty; a zero value is only set where it replaces another value
     */
    static Map<String, Object> wanted(InstallRequest request, Map<String, Object> present) {
        return ZeroValues.leftOut(all(request), present);
    }

    private static SortedMap<String, Object> all(InstallRequest request) {
        ControlPlaneIdentity identity = request.identity();
        ClusterConfig config = identity.controlPlane().getSpec().config();
        SortedMap<String, Object> spec = new TreeMap<>();
        spec.put("clusterDeploymentRef", Map.of("name", identity.name()));
        spec.put(IMAGE_SET, Map.of("name", request.imageSet()));
        spec.put("networking", Networks.desired(request.cluster(), config));
        spec.put("provisionRequirements", requirements(request));
        Platform platform = Platform.of(config);
        spec.put("platformType", platform.type());
        if (config != null) {
            if (platform.hasVirtualAddresses()) {
                put(spec, "apiVIPs", unlessEmpty(config.apiVIPs()));
                put(spec, "ingressVIPs", unlessEmpty(config.ingressVIPs()));
            }
            if (platform == Platform.EXTERNAL) {
                spec.put("external", external(config));
            }
            put(spec, "loadBalancer", loadBalancer(config.loadBalancer()));
            put(spec, "sshPublicKey", config.sshAuthorizedKey());
            put(spec, "mastersSchedulable", config.mastersSchedulable());
            put(spec, "ntpSources", unlessEmpty(config.ntpSources()));
            put(spec, "diskEncryption", diskEncryption(config.diskEncryption()));
            put(spec, "proxy", proxy(config.proxy()));
        }
        // Also false: the provider may have held the installation while an input was invalid.
        spec.put(HOLD, config != null && Boolean.TRUE.equals(config.holdInstallation()));
        String mirrors = ImageRegistry.chosen(identity);
        if (mirrors != null) {
            spec.put("mirrorRegistryRef", new TreeMap<>(Map.of("name", mirrors, "namespace", identity.namespace())));
        }
        put(spec, "manifestsConfigMapRefs", unlessEmpty(manifests(identity, mirrors != null)));
        return spec;
    }

    private static Map<String, Object> requirements(InstallRequest request) {
        OpenshiftAssistedControlPlaneSpec controlPlane =
                request.identity().controlPlane().getSpec();
        Integer replicas = controlPlane.replicas();
        int arbiters = ArbiterSettings.count(controlPlane.arbiter());
        SortedMap<String, Object> requirements = new TreeMap<>();
        requirements.put("controlPlaneAgents", replicas == null ? 0 : replicas - arbiters);
        if (arbiters > 0) {
            requirements.put("arbiterAgents", arbiters);
        }
        requirements.put("workerAgents", request.workers());
        return requirements;
    }

    /** The user's manifests and the provider's own for mirror registries. */
    private static List<Map<String, String>> manifests(ControlPlaneIdentity identity, boolean mirrors) {
        List<Map<String, String>> references = new ArrayList<>();
        InstallManifests.chosen(identity).forEach(name -> references.add(Map.of("name", name)));
        if (mirrors) {
            references.add(Map.of("name", MirrorConfigMap.name(identity)));
        }
        return references;
    }

    private static @Nullable <T> List<T> unlessEmpty(@Nullable List<T> list) {
        return list == null || list.isEmpty() ? null : list;
    }

    /**
     * The provider's name and the kind of cloud controller manager, both always given: assisted-service applies them
     * when it registers the cluster, and no later change.
     */
    private static Map<String, Object> external(ClusterConfig config) {
        PlatformConfig platform = config.platform();
        String name = platform == null ? null : platform.platformName();
        return new TreeMap<>(Map.of(
                "platformName",
                name == null || name.isEmpty() ? UNNAMED_PLATFORM : name,
                "cloudControllerManager",
                Platform.hasUsersCloudControllerManager(config)
                        ? PlatformConfig.CLOUD_CONTROLLER_MANAGER_EXTERNAL
                        : ""));
    }

    private static @Nullable Map<String, Object> loadBalancer(ClusterConfig.@Nullable LoadBalancer loadBalancer) {
        return loadBalancer == null || loadBalancer.type() == null ? null : Map.of("type", loadBalancer.type());
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
