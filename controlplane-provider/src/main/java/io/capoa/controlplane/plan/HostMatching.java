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

    /** Where one Machine of a pool finds no host, no other one of that pool does. */
    private int add(HostPool pool, int first, int count) {
        int found = 0;
        while (found < count
                && place(new Slot(pool, first + found), Collections.newSetFromMap(new IdentityHashMap<>()))) {
            found++;
        }
        return found;
    }

    /**
     * Gives a Machine a host that is free, or one whose Machine finds another. The Machines of a pool find the same hosts, so
     * that each pool is tried once.
     *
     * @param tried pools for whose Machines there is no other host
     */
    private boolean place(Slot slot, Set<HostPool> tried) {
        tried.add(slot.pool());
        for (InspectedHost host : hosts) {
            if (!taken.containsKey(host) && fits.test(slot.pool(), host)) {
                taken.put(host, slot);
                return true;
            }
        }
        for (InspectedHost host : hosts) {
            Slot other = taken.get(host);
            if (other != null && !tried.contains(other.pool()) && fits.test(slot.pool(), host) && place(other, tried)) {
                taken.put(host, slot);
                return true;
            }
        }
        return false;
    }
}
