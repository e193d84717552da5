package io.capoa.lab.assisted;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Validation and defaults of an AgentClusterInstall's spec. */
final class InstallSpecRules {

    private static final Pattern IPV4 =
            Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1?\\d?\\d)");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*");

    /** Platforms with virtual IPs. */
    private static final Set<String> INTEGRATED = Set.of("BareMetal", "VSphere", "Nutanix");
    /** Platforms that can do without them, behind the user's load balancer. */
    private static final Set<String> BALANCED = Set.of("BareMetal", "VSphere");

    private InstallSpecRules() {}

    /** The validation error, or an empty string. */
    static String inputError(GenericKubernetesResource install) {
        String key = Fields.string(install, "spec", "sshPublicKey");
        String keyProblem = key == null ? "" : SshKeys.problem(key);
        if (!keyProblem.isEmpty()) {
            return keyProblem;
        }
        Requirements wanted = Requirements.of(install);
        int masters = wanted.controlPlanes();
        if (wanted.arbiters() > 0) {
            if (masters != 2) {
                return "Clusters with arbiters have 2 control plane agents, not " + masters;
            }
        } else if (masters != 1 && (masters < 3 || masters > 5)) {
            return "Single-node clusters have 1 control plane agent, others 3 to 5, not " + masters;
        }
        String platformProblem = platformProblem(install, masters);
        if (!platformProblem.isEmpty()) {
            return platformProblem;
        }
        List<?> vips = Fields.list(install, "spec", "apiVIPs");
        List<?> ingress = Fields.list(install, "spec", "ingressVIPs");
        if (vips.size() > 2 || vips.size() != ingress.size()) {
            return "the number of apiVIPs (%d) and ingressVIPs (%d) must be the same, at most 2"
                    .formatted(vips.size(), ingress.size());
        }
        for (List<?> list : List.of(vips, ingress)) {
            for (Object vip : list) {
                String text = String.valueOf(vip);
                if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
                    return "VIP \"" + text + "\" is not an IP address";
                }
            }
        }
        return vips.stream().anyMatch(ingress::contains) ? "api-vip and ingress-vip cannot have the same value" : "";
    }

    private static String platformProblem(GenericKubernetesResource install, int masters) {
        String platform = platform(install);
        String loadBalancer = Fields.string(install, "spec", "loadBalancer", "type");
        if ("UserManaged".equals(loadBalancer) && !BALANCED.contains(platform)) {
            return "User managed load balancer is supported only on platforms BareMetal and VSphere, not on platform "
                    + platform;
        }
        Object userManaged = Fields.any(install, "spec", "networking", "userManagedNetworking");
        if (INTEGRATED.contains(platform)) {
            if (masters == 1) {
                return "Single-node clusters cannot have platform " + platform;
            }
            return Boolean.TRUE.equals(userManaged)
                    ? "Can't set " + platform.toLowerCase(Locale.ROOT)
                            + " platform with user-managed-networking enabled"
                    : "";
        }
        if (Boolean.FALSE.equals(userManaged)) {
            return "Platform " + platform + " requires user-managed-networking";
        }
        return Fields.list(install, "spec", "apiVIPs").isEmpty()
                        && Fields.list(install, "spec", "ingressVIPs").isEmpty()
                ? ""
                : "API and ingress VIPs cannot be set with user-managed-networking";
    }

    /** Whether the kubelets run with an external cloud provider. */
    static boolean hasExternalCloudProvider(GenericKubernetesResource install) {
        return platform(install).equals("External")
                && "External".equals(Fields.string(install, "spec", "external", "cloudControllerManager"));
    }

    /** Whether the cluster's networks are the user's: load balancers, DNS, no virtual IPs. */
    static boolean isUserManaged(GenericKubernetesResource install) {
        return !INTEGRATED.contains(platform(install));
    }

    /** Whether the service manages virtual IPs for the cluster. */
    static boolean needsVips(GenericKubernetesResource install) {
        return !isUserManaged(install) && !"UserManaged".equals(Fields.string(install, "spec", "loadBalancer", "type"));
    }

    /** Message about missing user input, or an empty string. */
    static String pending(GenericKubernetesResource install) {
        return needsVips(install) && Fields.list(install, "spec", "apiVIPs").isEmpty()
                ? "API virtual IPs are undefined; please provide them."
                : "";
    }

    /** The platform: as given, else derived from the number of hosts. */
    static String platform(GenericKubernetesResource install) {
        String given = Fields.string(install, "spec", "platformType");
        if (given != null) {
            return given;
        }
        boolean userManaged = Fields.isTrue(install, "spec", "networking", "userManagedNetworking");
        return userManaged || Requirements.of(install).isSingleNode() ? "None" : "BareMetal";
    }

    /** The part of the spec that is immutable once the installation has started. */
    static Map<String, Object> frozen(GenericKubernetesResource install, boolean installed) {
        Map<String, Object> spec = new LinkedHashMap<>(GoTypes.rewritten(Fields.map(install, "spec")));
        spec.remove("clusterMetadata");
        spec.remove("holdInstallation");
        if (installed) {
            spec.remove("provisionRequirements");
        }
        return spec;
    }
}
