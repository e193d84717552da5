package io.capoa.lab.assisted;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The service's rules for the name and the networks of a cluster (internal/cluster/validations, internal/network). The size
 * of the pod networks is a validation there, which keeps the installation from starting, as an input error does here.
 */
final class ClusterInputRules {

    private static final Pattern NAME = Pattern.compile("([a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern NAME_ON_NONE =
            Pattern.compile("([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)*");
    private static final int LONGEST_NAME = 54;
    private static final int MIN_MASK_DELTA = 7;
    private static final int FEWEST_HOSTS = 4;

    private ClusterInputRules() {}

    /** The error, or an empty string. */
    static String inputError(@Nullable String name, GenericKubernetesResource install) {
        String nameError = name == null ? "" : nameError(name, InstallSpecRules.platform(install));
        String familyError = nameError.isEmpty() ? familyError(install) : nameError;
        return familyError.isEmpty() ? sizeError(install) : familyError;
    }

    private static String nameError(String name, String platform) {
        if (name.length() > LONGEST_NAME) {
            return "name in body should be at most " + LONGEST_NAME + " chars long";
        }
        Pattern allowed = platform.equals("None") ? NAME_ON_NONE : NAME;
        return allowed.matcher(name).matches()
                ? ""
                : ("Cluster name format is not valid: '%s'. Name must start and end with either a letter or number and"
                                + " consist of lower-case letters, numbers, and hyphens. Subdomains in cluster names are only"
                                + " valid with none platform.")
                        .formatted(name);
    }

    private static String familyError(GenericKubernetesResource install) {
        Map<String, String> first = new LinkedHashMap<>();
        first.put("machine_networks", first(cidrs(install, "machineNetwork")));
        first.put("api_vips", first(texts(Fields.list(install, "spec", "apiVIPs"))));
        first.put("ingress_vips", first(texts(Fields.list(install, "spec", "ingressVIPs"))));
        first.put("service_networks", first(texts(Fields.list(install, "spec", "networking", "serviceNetwork"))));
        first.put("cluster_networks", first(cidrs(install, "clusterNetwork")));
        first.values().removeIf(String::isEmpty);
        Map.Entry<String, String> primary = null;
        for (Map.Entry<String, String> list : first.entrySet()) {
            if (primary == null) {
                primary = list;
            } else if (isIpv6(primary.getValue()) != isIpv6(list.getValue())) {
                return ("Inconsistent IP family order: %s first IP is %s but %s first IP is %s. All networks must have the"
                                + " same IP family first")
                        .formatted(primary.getKey(), primary.getValue(), list.getKey(), list.getValue());
            }
        }
        return "";
    }

    private static String sizeError(GenericKubernetesResource install) {
        String plugin = Fields.string(install, "spec", "networking", "networkType");
        if (plugin != null && !List.of("OVNKubernetes", "OpenShiftSDN").contains(plugin)) {
            return "";
        }
        Requirements wanted = Requirements.of(install);
        int hosts = wanted.isSingleNode() ? 1 : Math.max(FEWEST_HOSTS, wanted.controlPlanes());
        for (Object network : Fields.list(install, "spec", "networking", "clusterNetwork")) {
            String cidr = String.valueOf(Fields.any(network, "cidr"));
            int prefix = Integer.parseInt(cidr.substring(cidr.indexOf('/') + 1));
            int bits = isIpv6(cidr) ? 128 : 32;
            int hostPrefix = Fields.any(network, "hostPrefix") instanceof Number number ? number.intValue() : 0;
            if (hostPrefix > bits - MIN_MASK_DELTA) {
                return "Host prefix, now %d, must be less than or equal to %d to allow at least 128 addresses"
                        .formatted(hostPrefix, bits - MIN_MASK_DELTA);
            }
            if (1L << Math.clamp(hostPrefix - prefix, 0, 62) < hosts) {
                return "Cluster network CIDR prefix %d does not contain enough addresses for %d hosts each one with %d prefix"
                        .formatted(prefix, hosts, hostPrefix);
            }
        }
        return "";
    }

    private static List<String> cidrs(GenericKubernetesResource install, String field) {
        List<String> cidrs = new ArrayList<>();
        Fields.list(install, "spec", "networking", field)
                .forEach(network -> cidrs.add(String.valueOf(Fields.any(network, "cidr"))));
        return cidrs;
    }

    private static List<String> texts(List<?> values) {
        return values.stream().map(String::valueOf).toList();
    }

    private static String first(List<String> values) {
        return values.isEmpty() ? "" : values.getFirst();
    }

    private static boolean isIpv6(String address) {
        return address.contains(":");
    }
}
