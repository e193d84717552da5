package io.capoa.controlplane.plan;

import io.capoa.controlplane.plan.PlanFinding.Severity;
import io.capoa.controlplane.plan.PlanFinding.Subject;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which pool can take which hosts, and what comes of that.
 *
 * @param rows one for each host, in order
 */
record HostPlan(List<Row> rows, List<PlanFinding> findings) {

    /** Why hosts cannot be taken, in one finding. */
    private static final int REASONS = 8;

    /**
     * A host.
     *
     * @param pools owners of the pools that can take it
     * @param disk that is installed to, see {@link HostFitness}
     * @param mac that identifies it; empty if none does
     * @param obstacle why no pool can take it, or what it lacks; empty otherwise
     */
    record Row(String host, List<String> pools, String disk, String mac, String obstacle) {}

    /** What a pool says to a host. */
    private record Judgement(Optional<String> obstacle, HostFitness fitness) {}

    /**
     * Judges hosts.
     *
     * @param cluster name of the Cluster
     * @param hosts of its namespace that there are now; others may be created later
     */
    static HostPlan of(String cluster, String release, List<HostPool> pools, List<InspectedHost> hosts) {
        List<PlanFinding> findings = new ArrayList<>();
        pools.forEach(pool -> findings.addAll(BootPath.of(pool)));
        if (hosts.isEmpty()) {
            pools.stream()
                    .filter(pool -> pool.replicas() > 0)
                    .forEach(
                            pool -> findings.add(
                                    PlanFinding.unknown(
                                            PlanCheck.HOSTS_NOT_GIVEN,
                                            pool.owner(),
                                            "spec.replicas",
                                            "takes %d hosts, and there is no BareMetalHost".formatted(pool.replicas()),
                                            "whether there are hosts that can be taken is not known",
                                            "create the BareMetalHosts, and add them and their HardwareData to files that are planned")));
            return new HostPlan(List.of(), findings);
        }
        IdentityHashMap<HostPool, IdentityHashMap<InspectedHost, Judgement>> judged = new IdentityHashMap<>();
        for (HostPool pool : pools) {
            IdentityHashMap<InspectedHost, Judgement> ofPool = new IdentityHashMap<>();
            hosts.forEach(host -> ofPool.put(host, judge(host, pool, cluster, release)));
            judged.put(pool, ofPool);
        }
        HostMatching fit = HostMatching.of(pools, hosts, (pool, host) -> {
            Judgement judgement = judgement(judged, pool, host);
            return judgement.obstacle().isEmpty()
                    && (!host.isSettled() || judgement.fitness().faults().isEmpty());
        });
        HostMatching takeable = HostMatching.of(
                pools,
                hosts,
                (pool, host) -> judgement(judged, pool, host).obstacle().isEmpty());
        for (HostPool pool : pools) {
            if (pool.replicas() == 0) {
                continue;
            }
            IdentityHashMap<InspectedHost, Judgement> ofPool = Objects.requireNonNull(judged.get(pool));
            faults(pool, hosts, ofPool, fit.hosts(pool) < pool.replicas(), findings);
            if (takeable.hosts(pool) < pool.replicas()) {
                shortage(pool, hosts, ofPool, takeable.hosts(pool), findings);
            } else if (pool.surge() > 0 && takeable.spare(pool, pool.surge()) < pool.surge()) {
                findings.add(PlanFinding.warning(
                        PlanCheck.SPARE_HOST,
                        pool.owner(),
                        "spec.replicas",
                        "no host is left for a rollout, which takes %d more before it gives one back"
                                .formatted(pool.surge()),
                        "a rollout, and the replacement of a failed host, waits for one",
                        "add a host that %s selects, or set maxSurge to 0 where that is possible"
                                .formatted(pool.template())));
            }
            findings.addAll(HostNames.of(pool, candidates(hosts, ofPool)));
        }
        shared(hosts, findings);
        unknown(hosts, pools, judged, findings);
        return new HostPlan(hosts.stream().map(host -> row(host, pools, judged)).toList(), once(findings));
    }

    /** What is found of a host for several pools is one finding, as grave as the gravest. */
    private static List<PlanFinding> once(List<PlanFinding> findings) {
        Map<PlanFinding, PlanFinding> gravest = new LinkedHashMap<>();
        findings.forEach(finding -> gravest.merge(
                finding.as(Severity.UNKNOWN),
                finding,
                (one, other) -> one.severity().compareTo(other.severity()) <= 0 ? one : other));
        return List.copyOf(gravest.values());
    }

    private static Judgement judgement(
            IdentityHashMap<HostPool, IdentityHashMap<InspectedHost, Judgement>> judged,
            HostPool pool,
            InspectedHost host) {
        return Objects.requireNonNull(Objects.requireNonNull(judged.get(pool)).get(host));
    }

    private static Judgement judge(InspectedHost host, HostPool pool, String cluster, String release) {
        Optional<String> obstacle = HostChoice.obstacle(host, pool, cluster);
        return new Judgement(
                obstacle,
                obstacle.isPresent() || HostChoice.isTaken(host, cluster)
                        ? new HostFitness(List.of(), "")
                        : HostFitness.of(host, pool, release));
    }

    private static List<InspectedHost> candidates(
            List<InspectedHost> hosts, IdentityHashMap<InspectedHost, Judgement> judged) {
        return hosts.stream()
                .filter(host ->
                        Objects.requireNonNull(judged.get(host)).obstacle().isEmpty())
                .toList();
    }

    /**
     * Metal3 takes any of the hosts that it can take: one with a fault may or, if there are too few others, must be. What is
     * known of a host that has not settled may change.
     */
    private static void faults(
            HostPool pool,
            List<InspectedHost> hosts,
            IdentityHashMap<InspectedHost, Judgement> judged,
            boolean certain,
            List<PlanFinding> findings) {
        for (InspectedHost host : candidates(hosts, judged)) {
            for (PlanFinding fault :
                    Objects.requireNonNull(judged.get(host)).fitness().faults()) {
                findings.add(certain && host.isSettled() ? fault : fault.as(Severity.WARNING));
            }
            BootPath.of(pool, host).ifPresent(findings::add);
        }
    }

    /** Not more than a warning: Metal3 waits for hosts, and others may be created later. */
    private static void shortage(
            HostPool pool,
            List<InspectedHost> hosts,
            IdentityHashMap<InspectedHost, Judgement> judged,
            int found,
            List<PlanFinding> findings) {
        Map<String, List<InspectedHost>> why = new TreeMap<>();
        hosts.forEach(host -> Objects.requireNonNull(judged.get(host))
                .obstacle()
                .ifPresent(obstacle -> why.computeIfAbsent(obstacle, ignored -> new ArrayList<>())
                        .add(host)));
        findings.add(PlanFinding.warning(
                PlanCheck.HOSTS_TOO_FEW,
                pool.owner(),
                "spec.replicas",
                "takes %d hosts, and there are %d of %d that it can take beside the other pools"
                        .formatted(pool.replicas(), found, hosts.size()),
                "the installation waits for others"
                        + why.entrySet().stream()
                                .limit(REASONS)
                                .map(reason ->
                                        "; %s: %s".formatted(InspectedHost.named(reason.getValue()), reason.getKey()))
                                .collect(Collectors.joining()),
                "create or free hosts, or write fewer replicas"));
    }

    private static void shared(List<InspectedHost> hosts, List<PlanFinding> findings) {
        hosts.stream()
                .filter(host -> !host.bootMac().isEmpty())
                .collect(Collectors.groupingBy(InspectedHost::bootMac))
                .values()
                .stream()
                .filter(same -> same.size() > 1)
                .forEach(same -> findings.add(PlanFinding.warning(
                        PlanCheck.HOST_MAC,
                        same.getFirst().subject(),
                        "spec.bootMACAddress",
                        "%s have one address, %s"
                                .formatted(
                                        InspectedHost.named(same),
                                        same.getFirst().bootMac()),
                        "it identifies a host, and baremetal-operator registers one of them only",
                        "write the address of the NIC that each boots from")));
    }

    /** Hosts of which too little is known to say what comes of them. */
    private static void unknown(
            List<InspectedHost> hosts,
            List<HostPool> pools,
            IdentityHashMap<HostPool, IdentityHashMap<InspectedHost, Judgement>> judged,
            List<PlanFinding> findings) {
        hosts.stream()
                .filter(host -> !host.isSettled() && host.view().consumerName() == null)
                .filter(host -> pools.stream()
                        .anyMatch(
                                pool -> judgement(judged, pool, host).obstacle().isEmpty()))
                .forEach(host -> findings.add(unknown(host)));
    }

    private static PlanFinding unknown(InspectedHost host) {
        return host.hardware() == null && !host.isBusy()
                ? PlanFinding.unknown(
                        PlanCheck.HOST_NOT_INSPECTED,
                        host.subject(),
                        "",
                        "has no HardwareData",
                        "whether its CPUs, memory, disks and NICs are as they have to be is not known",
                        "let baremetal-operator inspect it, and add its HardwareData or read it with --kubeconfig")
                : PlanFinding.unknown(
                        PlanCheck.HOST_NOT_SETTLED,
                        host.subject(),
                        "status.provisioning.state",
                        host.isBusy() ? "is in state " + host.state() : "has no state",
                        "what is known of it may change until it is available",
                        "plan again when it is");
    }

    private static Row row(
            InspectedHost host,
            List<HostPool> pools,
            IdentityHashMap<HostPool, IdentityHashMap<InspectedHost, Judgement>> judged) {
        List<HostPool> taking = pools.stream()
                .filter(pool -> judgement(judged, pool, host).obstacle().isEmpty())
                .toList();
        String obstacle = taking.isEmpty()
                ? pools.stream()
                        .flatMap(pool -> judgement(judged, pool, host).obstacle().stream())
                        .findFirst()
                        .orElse("")
                : taking.stream()
                        .flatMap(pool -> judgement(judged, pool, host).fitness().faults().stream())
                        .findFirst()
                        .map(PlanFinding::what)
                        .orElse("");
        return new Row(
                Subject.of(host.object()).name(),
                taking.stream().map(pool -> pool.owner().name()).distinct().toList(),
                taking.stream()
                        .map(pool -> judgement(judged, pool, host).fitness().disk())
                        .filter(disk -> !disk.isEmpty())
                        .findFirst()
                        .orElse(""),
                host.bootMac(),
                obstacle);
    }
}
