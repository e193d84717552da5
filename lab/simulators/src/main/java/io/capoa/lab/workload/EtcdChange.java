package io.capoa.lab.workload;

import java.time.Instant;

/**
 * A change of etcd's members or of their health.
 *
 * @param members how many there were after it
 * @param healthy how many of them ran
 */
public record EtcdChange(Instant time, int members, int healthy) {}
