package io.capoa.controlplane.machines;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions;
import java.util.Collection;
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

        private Load plus(boolean isUpToDate) {
            return new Load(upToDate + (isUpToDate ? 1 : 0), all + 1);
        }
    }

    private static final Comparator<Map.Entry<String, Load>> LEAST_LOADED = Comparator.comparing(
                    Map.Entry<String, Load>::getValue,
                    Comparator.comparingInt(Load::upToDate).thenComparingInt(Load::all))
            .thenComparing(Map.Entry::getKey);

    private final SortedMap<String, Load> loads = new TreeMap<>();

    private FailureDomains() {}

    /** The Cluster's failure domains for control plane Machines, with the existing Machines. */
    static FailureDomains of(Cluster cluster, Collection<Machine> machines) {
        FailureDomains domains = new FailureDomains();
        ClusterView.of(cluster)
                .controlPlaneFailureDomains()
                .forEach(domain -> domains.loads.put(domain, new Load(0, 0)));
        machines.stream()
                .map(MachineView::of)
                .forEach(machine ->
                        domains.add(machine.failureDomain(), machine.isTrue(ControlPlaneMachineConditions.UP_TO_DATE)));
        return domains;
    }

    /** Picks the domain for one more Machine and counts that Machine; {@code null} if the Cluster has no domains. */
    @Nullable
    String next() {
        String domain = loads.entrySet().stream()
                .min(LEAST_LOADED)
                .map(Map.Entry::getKey)
                .orElse(null);
        add(domain, true);
        return domain;
    }

    private void add(@Nullable String domain, boolean upToDate) {
        if (domain != null) {
            loads.computeIfPresent(
                    domain, (name, load) -> Objects.requireNonNull(load).plus(upToDate));
        }
    }
}
