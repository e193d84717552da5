package io.capoa.lab.assisted;

import io.capoa.lab.controller.Delays;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs a host's validations, round by round from its registration on. */
final class HostChecks {

    private final Backend backend;
    private final Delays delays;

    HostChecks(Backend backend, Delays delays) {
        this.backend = backend;
        this.delays = delays;
    }

    /** Runs the checks that are due; the time until the next ones, {@code null} when none remain or the host is installing. */
    @Nullable
    Duration advance(HostRecord host, @Nullable ClusterRecord cluster, boolean running) {
        if (!host.state.isWatched()) {
            return null;
        }
        Delays here = delays.in(host.agent.namespace());
        Rounds rounds = Rounds.of(here);
        Instant began = host.roundBegan;
        if (began == null) {
            began = Instant.now();
            host.roundBegan = began;
            if (!backend.behaviour.isBrief()) {
                return rounds.takes();
            }
        }
        if (backend.behaviour.isBrief()) {
            host.round = host.round < 0 ? 0 : FirstRounds.COUNT + 1;
        }
        Duration left = rounds.left(began);
        if (host.round < 0) {
            Duration discovery = here.get(Delays.Of.DISCOVERY).minus(Duration.between(host.registered, Instant.now()));
            left = discovery.compareTo(left) > 0 ? discovery : left;
        }
        // One round at a time, even when several are due: each must be observable. In the first, agents resolve names.
        if (left.isZero() && (!isReported(host, began, cluster) || (host.round == 0 && host.isResolving()))) {
            left = Rounds.LEAST;
        } else if (left.isZero() && host.round <= FirstRounds.COUNT) {
            host.round++;
            host.roundBegan = Instant.now();
            left = rounds.takes();
        }
        if (host.round < 0) {
            return left;
        }
        check(host, cluster, host.round, running);
        if (host.round <= FirstRounds.COUNT) {
            return left;
        }
        host.suggested = "";
        return null;
    }

    /**
     * Whether the cluster has reported the host's round with its own validations: as in the service, which validates
     * hosts and clusters in the same rounds, no cluster misses that a host of its own was not ready.
     */
    private static boolean isReported(HostRecord host, Instant began, @Nullable ClusterRecord cluster) {
        if (host.round < 0 || cluster == null || !cluster.accepted || cluster.state.isStarted()) {
            return true;
        }
        Instant settled = cluster.settled;
        return settled != null && !settled.isBefore(began);
    }

    /** Host names must be unique in a cluster: hosts that have the old or the new name are checked again. */
    private void check(HostRecord host, @Nullable ClusterRecord cluster, int round, boolean joins) {
        String name = host.hostname();
        List<HostRecord> others = cluster == null
                ? List.of()
                : backend.hostsOf(cluster.key).stream().filter(h -> h != host).toList();
        List<String> names = others.stream().map(HostRecord::hostname).toList();
        List<HostValidations.Validation> all =
                new ArrayList<>(HostValidations.of(host.inventory, host.wish.role(), name, names));
        boolean single = cluster != null && cluster.requirements.isSingleNode();
        List<HostValidations.Validation> domains = List.of();
        if (cluster != null && !cluster.domain.isEmpty() && !backend.behaviour.isBrief()) {
            DomainChecks dns = new DomainChecks(cluster.domain, cluster.userManaged && (joins || !single), joins);
            host.resolve(dns.names());
            domains = dns.of(round == 0 ? null : host.resolved);
        }
        all.addAll(FirstRounds.of(round, joins, single, names.size() + 1, domains));
        host.checked(all);
        String before = host.checkedName;
        host.checkedName = name;
        if (!name.equals(before)) {
            others.stream()
                    .filter(h -> h.hostname().equals(name) || h.hostname().equals(before))
                    .forEach(backend::hostChanged);
        }
    }
}
