package io.capoa.lab.workload;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a client has asked a cluster for until now.
 *
 * @param requests by method and path, such as {@code GET /readyz}
 * @param ports from which it came: each connection began with a handshake
 */
public record ClientUse(Map<String, Integer> requests, Set<Integer> ports) {

    ClientUse() {
        this(new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet());
    }

    void add(String request, int port) {
        requests.merge(request, 1, Integer::sum);
        ports.add(port);
    }

    ClientUse copy() {
        return new ClientUse(new TreeMap<>(requests), Set.copyOf(ports));
    }

    /** How many requests. */
    public int sum() {
        return requests.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** How many connections. */
    public int connections() {
        return ports.size();
    }
}
