package io.capoa.bootstrap.infraenv;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.LocalReference;
import io.capoa.api.Proxy;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.bootstrap.ignition.DiscoveryMark;
import io.capoa.bootstrap.ignition.Ignition;
import io.capoa.bootstrap.ignition.NodeIgnition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Computes the InfraEnv of a Machine. It has the Machine's name, so that an Agent leads to its Machine. */
public final class DesiredInfraEnv {

    /** Name of the Secret that stands in where a config names no pull secret; InfraEnvs must have one. */
    public static final String PLACEHOLDER_PULL_SECRET = "placeholder-pull-secret";

    private DesiredInfraEnv() {}

    /**
     * What the image for the discovery boot is to be.
     *
     * @param osImageVersion its version; {@code null} leaves it to assisted-service
     * @param isBooted whether the host may boot it, rather than a disk image, whose kernel arguments are its own
     * @param mark to show what its ignition was made from; {@code null} where that does not change
     */
    public record Image(
            @Nullable String osImageVersion,
            boolean isBooted,
            @Nullable DiscoveryMark mark) {}

    /**
     * The object to apply.
     *
     * @throws io.capoa.api.rules.node.InvalidIgnitionException if the override is one that assisted-service does not take
     */
    public static InfraEnv of(
            OpenshiftAssistedConfig config,
            Machine machine,
            ClusterDeployment deployment,
            String clusterName,
            Image image) {
        InfraEnv infraEnv = new InfraEnv();
        infraEnv.setApiVersion(HasMetadata.getApiVersion(InfraEnv.class));
        infraEnv.setKind(HasMetadata.getKind(InfraEnv.class));
        infraEnv.setMetadata(new ObjectMetaBuilder()
                .withNamespace(config.getMetadata().getNamespace())
                .withName(machine.getMetadata().getName())
                .withLabels(new TreeMap<>(
                        Map.of(Labels.CONFIG_NAME, config.getMetadata().getName(), Labels.CLUSTER_NAME, clusterName)))
                .withOwnerReferences(owner(config), owner(machine))
                .build());
        infraEnv.setAdditionalProperty("spec", spec(config, deployment, image));
        return infraEnv;
    }

    /**
     * Whether an InfraEnv was made for this config, by whichever provider: by UID where it has a config for owner, else
     * by its label.
     */
    public static boolean belongsTo(InfraEnv infraEnv, OpenshiftAssistedConfig config) {
        List<String> owners = infraEnv.getMetadata().getOwnerReferences().stream()
                .filter(owner -> owner.getKind().equals(config.getKind()))
                .map(OwnerReference::getUid)
                .toList();
        Map<String, String> labels = infraEnv.getMetadata().getLabels();
        return owners.isEmpty()
                ? labels != null && config.getMetadata().getName().equals(labels.get(Labels.CONFIG_NAME))
                : owners.contains(config.getMetadata().getUid());
    }

    /** Name of the pull secret that the InfraEnv refers to. */
    public static String pullSecretName(OpenshiftAssistedConfigSpec spec) {
        String named =
                spec.pullSecretRef() == null ? null : spec.pullSecretRef().name();
        return named == null || named.isEmpty() ? PLACEHOLDER_PULL_SECRET : named;
    }

    private static Map<String, Object> spec(OpenshiftAssistedConfig config, ClusterDeployment deployment, Image image) {
        OpenshiftAssistedConfigSpec wanted = config.getSpec();
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put(
                "clusterRef",
                named(
                        deployment.getMetadata().getName(),
                        deployment.getMetadata().getNamespace()));
        spec.put("pullSecretRef", Map.of("name", pullSecretName(wanted)));
        // Static network settings get into the discovery ignition with this type only.
        spec.put("imageType", "full-iso");
        put(spec, "additionalNTPSources", wanted.additionalNTPSources());
        put(spec, "additionalTrustBundle", wanted.additionalTrustBundle());
        put(spec, "cpuArchitecture", wanted.cpuArchitecture());
        put(spec, "sshAuthorizedKey", wanted.sshAuthorizedKey());
        put(spec, "nmStateConfigLabelSelector", selector(wanted.nmStateConfigLabelSelector()));
        put(spec, "proxy", proxy(wanted.proxy()));
        put(spec, "kernelArguments", image.isBooted() ? appended(wanted) : null);
        put(spec, "mirrorRegistryRef", mirrors(config));
        put(spec, "ignitionConfigOverride", override(config, image.mark()));
        put(spec, "osImageVersion", image.osImageVersion());
        return spec;
    }

    private static void put(Map<String, Object> spec, String field, @Nullable Object value) {
        boolean empty = value == null
                || value.equals("")
                || (value instanceof List<?> list && list.isEmpty())
                || (value instanceof Map<?, ?> map && map.isEmpty());
        if (value != null && !empty) {
            spec.put(field, value);
        }
    }

    private static Map<String, Object> named(String name, String namespace) {
        Map<String, Object> reference = new LinkedHashMap<>();
        reference.put("name", name);
        reference.put("namespace", namespace);
        return reference;
    }

    private static @Nullable Map<String, Object> selector(@Nullable LabelSelector selector) {
        if (selector == null) {
            return null;
        }
        Map<String, Object> value = new LinkedHashMap<>();
        put(value, "matchLabels", selector.getMatchLabels() == null ? null : new TreeMap<>(selector.getMatchLabels()));
        put(
                value,
                "matchExpressions",
                selector.getMatchExpressions().stream()
                        .map(expression -> {
                            Map<String, Object> entry = new LinkedHashMap<>();
                            put(entry, "key", expression.getKey());
                            put(entry, "operator", expression.getOperator());
                            put(entry, "values", expression.getValues());
                            return entry;
                        })
                        .toList());
        return value;
    }

    private static @Nullable Map<String, Object> proxy(@Nullable Proxy proxy) {
        if (proxy == null) {
            return null;
        }
        Map<String, Object> value = new LinkedHashMap<>();
        put(value, "httpProxy", proxy.httpProxy());
        put(value, "httpsProxy", proxy.httpsProxy());
        put(value, "noProxy", proxy.noProxy());
        return value;
    }

    /** The kernel arguments that assisted-service takes: it refuses every operation but this. */
    private static @Nullable List<Map<String, Object>> appended(OpenshiftAssistedConfigSpec wanted) {
        return wanted.kernelArguments() == null
                ? null
                : wanted.kernelArguments().stream()
                        .filter(argument -> "append".equals(argument.operation()))
                        .map(argument -> {
                            Map<String, Object> entry = new LinkedHashMap<>();
                            put(entry, "operation", argument.operation());
                            put(entry, "value", argument.value());
                            return entry;
                        })
                        .toList();
    }

    private static @Nullable Map<String, Object> mirrors(OpenshiftAssistedConfig config) {
        LocalReference mirrors = config.getSpec().mirrorRegistryRef();
        return mirrors == null || mirrors.name() == null || mirrors.name().isEmpty()
                ? null
                : named(mirrors.name(), config.getMetadata().getNamespace());
    }

    private static @Nullable String override(OpenshiftAssistedConfig config, @Nullable DiscoveryMark mark) {
        Map<String, String> annotations = config.getMetadata().getAnnotations();
        Optional<Ignition> override = NodeIgnition.discoveryOverride(
                annotations == null ? null : annotations.get(Annotations.DISCOVERY_IGNITION_OVERRIDE));
        return (mark == null ? override : Optional.of(mark.addTo(override.orElseGet(Ignition::empty))))
                .map(Ignition::toJson)
                .orElse(null);
    }

    private static OwnerReference owner(HasMetadata resource) {
        return new OwnerReferenceBuilder()
                .withApiVersion(resource.getApiVersion())
                .withKind(resource.getKind())
                .withName(resource.getMetadata().getName())
                .withUid(resource.getMetadata().getUid())
                .build();
    }
}
