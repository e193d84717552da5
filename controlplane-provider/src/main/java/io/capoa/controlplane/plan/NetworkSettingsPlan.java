package io.capoa.controlplane.plan;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.NMStateConfig;
import io.capoa.api.rules.LabelSelection;
import io.capoa.controlplane.plan.PlanFinding.Subject;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * NMStateConfigs that a pool selects: assisted-service gives a host those that have the MAC address of one of its NICs
 * ({@code interfaces} of an NMStateConfig).
 */
final class NetworkSettingsPlan {

    private NetworkSettingsPlan() {}

    /** Of hosts that were inspected, those that get no settings although their pool selects some. */
    static List<PlanFinding> of(PlanInput input, String namespace, List<HostPool> pools, List<InspectedHost> hosts) {
        List<NMStateConfig> all = input.all(NMStateConfig.class, "NMStateConfig", namespace);
        List<PlanFinding> findings = new ArrayList<>();
        for (HostPool pool : pools) {
            LabelSelector selector = pool.spec() == null ? null : pool.spec().nmStateConfigLabelSelector();
            if (selector == null) {
                continue;
            }
            List<NMStateConfig> selected = all.stream()
                    .filter(settings -> LabelSelection.selects(
                            selector, settings.getMetadata().getLabels()))
                    .toList();
            if (selected.isEmpty()) {
                findings.add(none(pool));
                continue;
            }
            Set<String> macs = selected.stream()
                    .flatMap(settings -> Fields.list(settings, "spec", "interfaces").stream())
                    .map(nic -> Fields.text(nic, "macAddress").toLowerCase(Locale.ROOT))
                    .collect(Collectors.toSet());
            hosts.stream()
                    .filter(host -> HostChoice.obstacle(host, pool, "").isEmpty())
                    .filter(host ->
                            !host.macs().isEmpty() && host.macs().stream().noneMatch(macs::contains))
                    .forEach(host -> findings.add(unsettled(host.subject(), pool)));
        }
        return findings;
    }

    private static PlanFinding none(HostPool pool) {
        return PlanFinding.warning(
                PlanCheck.NETWORK_SETTINGS,
                pool.specObject(),
                pool.specPath() + ".nmStateConfigLabelSelector",
                "selects no NMStateConfig that is known here",
                "hosts without settings need DHCP",
                "create NMStateConfigs with these labels, or remove the selector");
    }

    private static PlanFinding unsettled(Subject host, HostPool pool) {
        return PlanFinding.warning(
                PlanCheck.NETWORK_SETTINGS,
                host,
                "",
                "has no NIC that an NMStateConfig names which %s selects".formatted(pool.specObject()),
                "it needs DHCP then",
                "write the MAC address of its NIC to spec.interfaces of an NMStateConfig");
    }
}
