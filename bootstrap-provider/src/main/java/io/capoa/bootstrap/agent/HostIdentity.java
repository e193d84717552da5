package io.capoa.bootstrap.agent;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentView;
import io.capoa.api.contract.Fields;
import io.capoa.runtime.status.Blocker;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What identifies a Machine's host among the Agents that booted its media. */
public sealed interface HostIdentity {

    /**
     * The MAC address of the interface that the host boots from, which assisted-service compares too (its bare-metal
     * agent controller, {@code findAgent}).
     *
     * @param mac as {@link #normalized} writes it
     * @param host the host's object and its address, for people
     * @param remedy what to do if the address is wrong, for people
     */
    record BootMac(String mac, String host, String remedy) implements HostIdentity {}

    /**
     * Nothing: the only Agent is the host's.
     *
     * @param why there is nothing, for people
     */
    record Nothing(String why) implements HostIdentity {}

    /**
     * Not known yet which host it is to be.
     *
     * @param why what is waited for
     */
    record Unknown(Blocker why) implements HostIdentity {}

    /** The MAC addresses of the interfaces that an Agent's host reported; empty until it has. */
    static List<String> macs(Agent agent) {
        return AgentView.of(agent).interfaces().stream()
                .map(port -> normalized(Fields.any(port, "macAddress")))
                .filter(mac -> !mac.isEmpty())
                .toList();
    }

    /** Whether ports of an Agent's host report one MAC address, as those of a bond do: the others' own are not seen. */
    static boolean isBonded(Agent agent) {
        List<String> macs = macs(agent);
        return macs.stream().distinct().count() < macs.size();
    }

    /** A MAC address with colons and in lower case; empty where there is none. */
    static String normalized(@Nullable Object mac) {
        return Objects.toString(mac, "").strip().replace('-', ':').toLowerCase(Locale.ROOT);
    }
}
