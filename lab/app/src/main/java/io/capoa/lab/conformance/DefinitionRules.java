package io.capoa.lab.conformance;

import io.capoa.runtime.contract.Contracts;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The contract's rules for CustomResourceDefinitions of an infrastructure provider, and for rights on them. */
public final class DefinitionRules {

    private static final List<String> CONTRACTS = List.of("cluster.x-k8s.io/v1beta2", "cluster.x-k8s.io/v1beta1");

    private DefinitionRules() {}

    /** Checks name, scope and contract label. */
    public static List<Breach> check(CustomResourceDefinition definition) {
        String object = "CustomResourceDefinition " + definition.getMetadata().getName();
        List<Breach> breaches = new ArrayList<>();
        String kind = definition.getSpec().getNames().getKind();
        String name = Contracts.plural(kind) + "." + definition.getSpec().getGroup();
        if (!name.equals(definition.getMetadata().getName())) {
            breaches.add(new Breach(
                    object,
                    "it has to be named %s, because references carry group and kind alone, and the name is derived from them"
                            .formatted(name)));
        }
        if (!"Namespaced".equals(definition.getSpec().getScope())) {
            breaches.add(new Breach(object, "its scope has to be Namespaced"));
        }
        Map<String, String> labels =
                Objects.requireNonNullElse(definition.getMetadata().getLabels(), Map.of());
        String versions = CONTRACTS.stream()
                .map(labels::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        List<String> served = definition.getSpec().getVersions().stream()
                .filter(version -> Boolean.TRUE.equals(version.getServed()))
                .map(CustomResourceDefinitionVersion::getName)
                .toList();
        if (versions == null) {
            breaches.add(new Breach(
                    object,
                    "it needs label %s with the versions that obey the contract, such as %s"
                            .formatted(CONTRACTS.getFirst(), String.join("_", served))));
        } else if (Arrays.stream(versions.split("_")).noneMatch(served::contains)) {
            breaches.add(new Breach(
                    object,
                    "its contract label names %s, and it serves %s: name a served version"
                            .formatted(versions, String.join(", ", served))));
        }
        return breaches;
    }

    /**
     * Checks what roles grant a manager on a kind.
     *
     * @param verbs that are needed
     * @param label of ClusterRoles that aggregate to the manager's
     * @param rules of all ClusterRoles with that label
     */
    public static List<Breach> check(
            CustomResourceDefinition definition, List<String> verbs, String label, Collection<PolicyRule> rules) {
        String group = definition.getSpec().getGroup();
        String plural = definition.getSpec().getNames().getPlural();
        List<String> missing = verbs.stream()
                .filter(verb -> rules.stream()
                        .noneMatch(rule -> grants(rule.getApiGroups(), group)
                                && grants(rule.getResources(), plural)
                                && grants(rule.getVerbs(), verb)))
                .toList();
        return missing.isEmpty()
                ? List.of()
                : List.of(new Breach(
                        "Resource " + plural + "." + group,
                        "no ClusterRole with label %s grants verbs %s".formatted(label, String.join(", ", missing))));
    }

    private static boolean grants(List<String> granted, String asked) {
        return granted.contains(asked) || granted.contains("*");
    }
}
