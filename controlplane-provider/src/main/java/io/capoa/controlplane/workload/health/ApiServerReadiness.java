package io.capoa.controlplane.workload.health;

/**
 * Readiness of a workload cluster's API server.
 *
 * @param ready whether {@code /readyz} says so
 */
public record ApiServerReadiness(boolean ready) {}
