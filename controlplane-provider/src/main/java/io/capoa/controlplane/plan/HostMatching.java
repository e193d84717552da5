package io.capoa.controlplane.plan;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/** Gives each Machine of each pool a host of its own, as many as possible (augmenting paths of a bipartite graph). */
final class HostMatching {

    private record Slot(HostPool pool, int number) {}

    private final Collection<InspectedHost> hosts;
    private final BiPredicate<HostPool, InspectedHost> fits;
    private final IdentityHashMap<InspectedHost, Slot> taken = new IdentityHashMap<>();

    private HostMatching(Collection<InspectedHost> hosts, BiPredicate<HostPool, InspectedHost> fits) {
        this.hosts = hosts;
        this.fits = fits;
    }

    /** The pools in order get as many hosts as there can be for all of them. */
    static HostMatching of(
            List<HostPool> pools, Collection<InspectedHost> hosts, BiPredicate<HostPool, InspectedHost> fits) {
        HostMatching matching = new HostMatching(hosts, fits);
        pools.forEach(pool -> matching.add(pool, 0, pool.replicas()));
        return matching;
    }

    /** How many of the pool's Machines have a host. */
    int hosts(HostPool pool) {
        return (int)
                taken.values().stream().filter(slot -> slot.pool().equals(pool)).count();
    }

    /** How many of {@code more} further Machines of the pool have a host while all others keep one. */
    int spare(HostPool pool, int more) {
        HostMatching copy = new HostMatching(hosts, fits);
        copy.taken.putAll(taken);
        return copy.add(pool, pool.replicas(), more);
    }

    private int add(HostPool pool, int first, int count) {
        int found = 0;
        for (int i = first; i < first + count; i++) {
            if (place(new Slot(pool, i), newSet())) {
                found++;
            }
        }
        return found;
    }

    private static Set<InspectedHost> newSet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    private boolean place(Slot slot, Set<InspectedHost> seen) {
        for (InspectedHost host : hosts) {
            if (fits.test(slot.pool(), host) && seen.add(host)) {
                Slot other = taken.get(host);
                if (other == null || place(other, seen)) {
                    taken.put(host, slot);
                    return true;
                }
            }
        }
        return false;
    }
}
