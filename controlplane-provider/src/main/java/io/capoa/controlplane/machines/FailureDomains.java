package io.capoa.controlplane.machines;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Spreads new Machines over failure domains: picks the one with the fewest up-to-date Machines, then the fewest
 * Machines.
 */
final class FailureDomains {

    private record Load(int upToDate, int all) {

        static Load of(Machines machines) {
            int upToDate = machines.filter(
                            machine -> MachineView.of(machine).isTrue(ControlPlaneMachineConditions.UP_TO_DATE))
                    .size();
            return new Load(upToDate, machines.size());
        }
    }

    private static final Comparator<Map.Entry<String, Load>> LEAST_LOADED = Comparator.comparing(
                    Map.Entry<String, Load>::getValue,
                    Comparator.comparingInt(Load::upToDate).thenComparingInt(Load::all))
            .thenComparing(Map.Entry::getKey);

    private final SortedMap<String, Load> loads = new TreeMap<>();

    private FailureDomains() {}

    /** The Cluster's failure domains for control plane Machines, with the existing Machines. */
    static FailureDomains of(Cluster cluster, Machines machines) {
        FailureDomains domains = new FailureDomains();
        SortedMap<String, Machines> existing = machines.byFailureDomain();
        ClusterView.of(cluster)
                .controlPlaneFailureDomains()
                .forEach(domain -> domains.loads.put(domain, Load.of(existing.getOrDefault(domain, Machines.of()))));
        return domains;
    }

    /** Picks the domain for one more Machine and counts that Machine; {@code null} if the Cluster has no domains. */
    @Nullable
    String next() {
        String domain = loads.entrySet().stream()
                .min(LEAST_LOADED)
                .map(Map.Entry::getKey)
                .orElse(null);
        if (domain != null) {
            Load load = Objects.requireNonNull(loads.get(domain));
            loads.put(domain, new Load(load.upToDate() + 1, load.all() + 1));
        }
        return domain;
    }
}
