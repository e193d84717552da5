package io.capoa.controlplane.plan;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The names under which the hosts of a pool will register with assisted-service. */
final class HostNames {

    /** Of a name of its own, the names of assisted-service that no host may have ({@code hostutil/host_utils.go}). */
    private static final Set<String> FORBIDDEN = Set.of(
            "localhost",
            "localhost.localdomain",
            "localhost4",
            "localhost4.localdomain4",
            "localhost6",
            "localhost6.localdomain6");

    /** The start of a metadata variable's name, as it may be written. */
    private static final Pattern METADATA = Pattern.compile("^(?:\\$\\{?)?METADATA_");

    private HostNames() {}

    /** Names that hosts bring along; those that are set come from objects of different names. */
    static List<PlanFinding> of(HostPool pool, List<InspectedHost> candidates) {
        List<PlanFinding> findings = new ArrayList<>();
        OpenshiftAssistedConfigSpec spec = pool.spec();
        String policy = spec == null ? null : spec.hostnamePolicy();
        String name = spec == null || spec.nodeRegistration() == null
                ? null
                : spec.nodeRegistration().name();
        if (name != null && !name.isBlank()) {
            if (METADATA.matcher(name.strip()).find()) {
                return findings;
            }
            findings.add(PlanFinding.warning(
                    PlanCheck.HOST_NAME,
                    pool.specObject(),
                    pool.specPath() + ".nodeRegistration.name",
                    "%s is read as the name of a metadata variable, and those begin with METADATA_".formatted(name),
                    "the hosts keep the names that DHCP or DNS gives them",
                    "write a variable such as $METADATA_METAL3_NAME into it, or use hostnamePolicy"));
        }
        if (policy != null && !policy.isEmpty() && !policy.equals(OpenshiftAssistedConfigSpec.HOSTNAME_NONE)) {
            return findings;
        }
        String remedy = "write hostnamePolicy HostName in %s of %s, or correct the name that DHCP or DNS gives"
                .formatted(pool.specPath(), pool.specObject());
        candidates.stream()
                .filter(host -> !host.hostname().isEmpty())
                .collect(Collectors.groupingBy(InspectedHost::hostname))
                .forEach((hostname, same) -> {
                    if (FORBIDDEN.contains(hostname)) {
                        same.forEach(host -> findings.add(PlanFinding.warning(
                                PlanCheck.HOST_NAME,
                                host.subject(),
                                "",
                                "called itself %s when it was inspected".formatted(hostname),
                                "assisted-service takes no host of that name (validation hostname-valid)",
                                remedy)));
                    } else if (same.size() > 1) {
                        findings.add(PlanFinding.warning(
                                PlanCheck.HOST_NAME,
                                pool.owner(),
                                "",
                                "%s called themselves %s when they were inspected"
                                        .formatted(InspectedHost.named(same), hostname),
                                "assisted-service wants another name of each host (validation hostname-unique)",
                                remedy));
                    }
                });
        return findings;
    }
}
