package io.capoa.lab.conformance;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The contract's rules for infrastructure objects of a cluster that is Ready. */
public final class ObjectRules {

    private static final Pattern PROVIDER_ID = Pattern.compile("[a-z][a-z0-9+.-]*://\\S+");
    private static final Set<String> ADDRESS_TYPES =
            Set.of("Hostname", "InternalIP", "ExternalIP", "InternalDNS", "ExternalDNS");

    private ObjectRules() {}

    /** Checks a template of machines. */
    public static List<Breach> template(GenericKubernetesResource template) {
        List<Breach> breaches = new ArrayList<>();
        if (!template.getKind().endsWith("Template")) {
            breaches.add(
                    new Breach(name(template), "a template's kind is that of its machines with Template at the end"));
        }
        if (Fields.map(template, "spec", "template", "spec").isEmpty()) {
            breaches.add(new Breach(name(template), "it needs spec.template.spec, which becomes the machine's spec"));
        }
        return breaches;
    }

    /** Checks the infrastructure of a cluster. */
    public static List<Breach> cluster(GenericKubernetesResource cluster) {
        List<Breach> breaches = new ArrayList<>(provisioned(cluster));
        if (Fields.string(cluster, "spec", "controlPlaneEndpoint", "host") == null
                || Fields.integer(cluster, "spec", "controlPlaneEndpoint", "port") == null) {
            breaches.add(new Breach(
                    name(cluster), "spec.controlPlaneEndpoint needs host and port, by the provider or by the user"));
        }
        for (Object domain : Fields.list(cluster, "status", "failureDomains")) {
            if (!(Fields.any(domain, "name") instanceof String named) || named.isEmpty()) {
                breaches.add(new Breach(
                        name(cluster), "status.failureDomains is a list, and each entry of it needs a name"));
            }
        }
        breaches.addAll(conditions(cluster));
        return breaches;
    }

    /**
     * Checks the machines of one cluster.
     *
     * @param nodes provider IDs of the cluster's Nodes
     */
    public static List<Breach> machines(List<GenericKubernetesResource> machines, Collection<String> nodes) {
        List<Breach> breaches = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (GenericKubernetesResource machine : machines) {
            String id = Fields.string(machine, "spec", "providerID");
            if (id == null || !PROVIDER_ID.matcher(id).matches()) {
                breaches.add(new Breach(
                        name(machine), "spec.providerID is %s: it needs the form scheme://path".formatted(id)));
            } else if (!seen.add(id)) {
                breaches.add(new Breach(name(machine), "spec.providerID %s is another machine's too".formatted(id)));
            } else if (!nodes.contains(id)) {
                breaches.add(new Breach(
                        name(machine),
                        "no Node has spec.providerID %s: the cloud controller manager, or the kubelet, sets the same one"
                                .formatted(id)));
            }
            breaches.addAll(provisioned(machine));
            breaches.addAll(addresses(machine));
            breaches.addAll(conditions(machine));
            if (machine.getMetadata().getFinalizers().isEmpty()) {
                breaches.add(new Breach(
                        name(machine), "it needs a finalizer, so that the instance is removed before the object"));
            }
        }
        return breaches;
    }

    private static List<Breach> provisioned(GenericKubernetesResource object) {
        return Fields.isTrue(object, "status", "initialization", "provisioned")
                ? List.of()
                : List.of(new Breach(name(object), "status.initialization.provisioned has to become true"));
    }

    private static List<Breach> addresses(GenericKubernetesResource machine) {
        List<?> addresses = Fields.list(machine, "status", "addresses");
        String wrong = addresses.stream()
                .filter(address -> !(Fields.any(address, "type") instanceof String type)
                        || !ADDRESS_TYPES.contains(type)
                        || !(Fields.any(address, "address") instanceof String text)
                        || text.isEmpty())
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
        if (!wrong.isEmpty()) {
            return List.of(new Breach(
                    name(machine),
                    "status.addresses has %s: each entry needs an address and a type of %s"
                            .formatted(wrong, ADDRESS_TYPES.stream().sorted().collect(Collectors.joining(", ")))));
        }
        return addresses.stream().anyMatch(address -> "InternalIP".equals(Fields.any(address, "type")))
                ? List.of()
                : List.of(
                        new Breach(
                                name(machine),
                                "status.addresses has no InternalIP, by which the Node of a removed control plane is recognised"));
    }

    private static List<Breach> conditions(GenericKubernetesResource object) {
        return Fields.list(object, "status", "conditions").stream()
                .filter(condition -> !(condition instanceof Map<?, ?> map)
                        || !map.keySet().containsAll(Set.of("type", "status", "reason", "lastTransitionTime")))
                .map(condition -> new Breach(
                        name(object),
                        "a condition lacks type, status, reason or lastTransitionTime: %s".formatted(condition)))
                .toList();
    }

    private static String name(GenericKubernetesResource object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }
}
