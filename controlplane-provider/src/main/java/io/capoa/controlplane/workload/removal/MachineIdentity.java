package io.capoa.controlplane.workload.removal;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What identifies the Node of a Machine.
 *
 * @param machine its name
 * @param providerId {@code null} while it has none
 * @param node name in {@code status.nodeRef}; {@code null} without one
 * @param addresses IP addresses of its host
 * @param hostNames host names of its host
 */
public record MachineIdentity(
        String machine,
        @Nullable String providerId,
        @Nullable String node,
        Set<String> addresses,
        Set<String> hostNames) {}
