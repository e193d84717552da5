package io.capoa.bootstrap.agent;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentView;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.BareMetalHostView;
import io.capoa.api.contract.Fields;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What identifies a Machine's host among the Agents that booted its media. */
public sealed interface HostIdentity {

    /**
     * The MAC address of the interface that a BareMetalHost boots from, which assisted-service compares too (its
     * bare-metal agent controller, {@code findAgent}).
     *
     * @param host {@code namespace/name} of the BareMetalHost
     * @param mac its {@code spec.bootMACAddress} in the usual notation
     */
    record BootMac(String host, String mac) implements HostIdentity {}

    /**
     * Nothing: the only Agent is the host's.
     *
     * @param why there is nothing, for people
     */
    record Nothing(String why) implements HostIdentity {}

    /** Not known yet which host it is to be. */
    record Unknown() implements HostIdentity {}

    /** That of a BareMetalHost. */
    static HostIdentity of(BareMetalHost host) {
        String name =
                host.getMetadata().getNamespace() + "/" + host.getMetadata().getName();
        String mac = normalized(BareMetalHostView.of(host).bootMacAddress());
        return mac.isEmpty()
                ? new Nothing("BareMetalHost " + name + " has no spec.bootMACAddress")
                : new BootMac(name, mac);
    }

    /** The MAC addresses of the interfaces that an Agent's host reported; empty until it has. */
    static List<String> macs(Agent agent) {
        return AgentView.of(agent).interfaces().stream()
                .map(port -> normalized(Fields.any(port, "macAddress")))
                .filter(mac -> !mac.isEmpty())
                .toList();
    }

    private static String normalized(@Nullable Object mac) {
        return Objects.toString(mac, "").strip().replace('-', ':').toLowerCase(Locale.ROOT);
    }
}
