package io.capoa.controlplane.machines;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.InfrastructureReference;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Computes how a Machine differs from the control plane's spec. Fields that are propagated in place do not count. */
public final class UpToDate {

    private static final ObjectMapper JSON = UntrustedContent.json();

    /** Fields that the API server defaults, with their defaults. */
    private static final Map<String, String> DEFAULTS = Map.of("cpuArchitecture", "x86_64");

    /**
     * Fields of {@code spec.openshiftAssistedConfigSpec} that configure a host's discovery, or are the cluster's own after
     * the installation: a change of them replaces no Machine, and takes effect on Machines that are created later. All
     * others reach a host only by its installation.
     */
    static final Set<String> DISCOVERY_ONLY = Set.of(
            "additionalNTPSources",
            "additionalTrustBundle",
            "discoveryIgnition",
            "kernelArguments",
            "mirrorRegistryRef",
            "osImageVersion",
            "proxy",
            "pullSecretRef",
            "sshAuthorizedKey");

    private UpToDate() {}

    /**
     * Messages without a full stop that say how the Machine differs; empty if it is up to date. Settings that a running
     * node need not be installed again for, see {@link #DISCOVERY_ONLY}, do not count.
     *
     * @param config the Machine's config, {@code null} if there is none
     * @param infrastructure the Machine's infrastructure machine, {@code null} if it does not exist or is not known
     * @param now the time that {@code spec.rollout.after} is compared with
     */
    public static List<String> differences(
            ControlPlaneIdentity identity,
            Machine machine,
            @Nullable OpenshiftAssistedConfig config,
            @Nullable GenericKubernetesResource infrastructure,
            Instant now) {
        List<String> differences = new ArrayList<>();
        if (RolloutTime.of(identity.controlPlane())
                .filter(limit -> isExpired(machine, limit, now))
                .isPresent()) {
            differences.add("it was created before spec.rollout.after");
        }
        InfrastructureReference wanted =
                Arbiters.infrastructure(identity.controlPlane().getSpec(), Arbiters.is(machine));
        String template = clonedFrom(infrastructure, Annotations.CLONED_FROM_NAME);
        String kind = clonedFrom(infrastructure, Annotations.CLONED_FROM_GROUP_KIND);
        if (infrastructure != null
                && template != null
                && (!template.equals(wanted.name())
                        || (kind != null && !kind.equals(wanted.kind() + "." + wanted.apiGroup())))) {
            differences.add("%s %s was made from %s %s, %s names %s %s"
                    .formatted(
                            infrastructure.getKind(),
                            infrastructure.getMetadata().getName(),
                            kind == null ? wanted.kind() : kind.split("\\.", 2)[0],
                            template,
                            Arbiters.field(identity.controlPlane().getSpec(), Arbiters.is(machine)),
                            wanted.kind(),
                            wanted.name()));
        }
        if (config == null) {
            differences.add(
                    ("OpenshiftAssistedConfig %s does not exist, so that nothing tells what the host was installed"
                                    + " with: delete the Machine to have it replaced")
                            .formatted(machine.getMetadata().getName()));
        } else if (config.unreadable().isEmpty()) {
            // Of a config that is not held whole nothing is concluded.
            Set<String> fields = differing(
                    normal(DiscoveryMirrors.in(BootstrapConfig.wanted(identity), mirrors(config))),
                    normal(config.getSpec()));
            if (!fields.isEmpty()) {
                differences.add("OpenshiftAssistedConfig differs from spec.openshiftAssistedConfigSpec in "
                        + String.join(", ", fields));
            }
        }
        return differences;
    }

    private static boolean isExpired(Machine machine, Instant limit, Instant now) {
        String created = machine.getMetadata().getCreationTimestamp();
        return !limit.isAfter(now) && created != null && Instant.parse(created).isBefore(limit);
    }

    /** Mirrors that the host was discovered with; they have no effect after that. */
    private static @Nullable String mirrors(OpenshiftAssistedConfig config) {
        var reference = config.getSpec() == null ? null : config.getSpec().mirrorRegistryRef();
        return reference == null ? null : reference.name();
    }

    private static @Nullable String clonedFrom(@Nullable GenericKubernetesResource machine, String annotation) {
        return machine == null ? null : Annotations.value(machine, annotation);
    }

    /** Top-level fields that differ in meaning. */
    private static Set<String> differing(JsonNode wanted, JsonNode actual) {
        Set<String> names = new TreeSet<>();
        wanted.fieldNames().forEachRemaining(names::add);
        actual.fieldNames().forEachRemaining(names::add);
        names.removeIf(
                name -> DISCOVERY_ONLY.contains(name) || wanted.path(name).equals(actual.path(name)));
        return names;
    }

    private static JsonNode normal(@Nullable Object spec) {
        JsonNode node = meaningful(JSON.valueToTree(spec));
        ObjectNode fields = node instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
        DEFAULTS.forEach((name, value) -> {
            if (value.equals(fields.path(name).asText())) {
                fields.remove(name);
            }
        });
        return fields;
    }

    /** Drops null and empty strings, lists and objects. */
    private static JsonNode meaningful(JsonNode node) {
        if (!node.isObject()) {
            return node;
        }
        ObjectNode kept = JsonNodeFactory.instance.objectNode();
        node.properties().forEach(field -> {
            JsonNode value = meaningful(field.getValue());
            boolean nothing = value.isNull()
                    || (value.isTextual() && value.asText().isEmpty())
                    || (value.isContainerNode() && value.isEmpty());
            if (!nothing) {
                kept.set(field.getKey(), value);
            }
        });
        return kept;
    }
}
