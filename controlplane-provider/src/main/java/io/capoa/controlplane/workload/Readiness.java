package io.capoa.controlplane.workload;

/**
 * Whether an installed API server can take requests.
 *
 * @param ready whether {@code /readyz} says so
 */
public record Readiness(boolean ready) {}
