package io.capoa.lab.workload;

import java.util.SortedMap;

/**
 * What clients with the administrator's certificate have asked a cluster for: the providers, Cluster API and people. The
 * lab's own clients have tokens.
 *
 * @param requests by method and path, such as {@code GET /readyz}
 * @param connections each of which began with a handshake
 */
public record AdministratorUse(SortedMap<String, Integer> requests, int connections) {

    /** All requests. */
    public int sum() {
        return requests.values().stream().mapToInt(Integer::intValue).sum();
    }
}
