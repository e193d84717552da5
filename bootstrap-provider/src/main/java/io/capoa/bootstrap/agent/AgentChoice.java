package io.capoa.bootstrap.agent;

import io.capoa.api.contract.Agent;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the Machine's host among the Agents that booted its media. At most one is approved:
 *
 * <ul>
 *   <li>a host whose approved installation has started is the Machine's, whatever else registers;
 *   <li>before that, only a host with the interface that the Machine's host boots from: virtual media that was
 *       left in another host does not make that one the Machine's. A host without reported interfaces is waited for;
 *   <li>of several Agents of that host, a connected one precedes a disconnected one: a host that comes back under a new
 *       id (another system board) replaces its old Agent, which loses its approval;
 *   <li>otherwise an approved Agent stays approved, and of the others the first to register is chosen;
 *   <li>where nothing distinguishes the hosts, an approved Agent stays approved, otherwise the only one is chosen;
 *   <li>an Agent that is being deleted does not count;
 *   <li>Agents of other InfraEnvs, of an InfraEnv that was not made for the Machine, or bound to another cluster are
 *       ignored.
 * </ul>
 *
 * @param agent the chosen one, or {@code null} if there is no candidate
 * @param others the other Agents that booted the same media
 * @param standing whether {@code agent} is the Machine's, or why it is {@code null}
 */
public record AgentChoice(@Nullable Agent agent, List<Agent> others, Standing standing) {

    /** Result of the choice. */
    public enum Standing {
        /** None has registered. */
        NONE,
        /** One is the Machine's. */
        SURE,
        /** One may be the Machine's: its interfaces, or the Machine's host, are not known yet. */
        UNIDENTIFIED,
        /** All belong to other hosts. */
        WRONG_HOST,
        /** There are several, and nothing identifies the Machine's. */
        AMBIGUOUS
    }

    private static final Comparator<Agent> AGE = Comparator.comparing(AgentChoice::created)
            .thenComparing(agent -> agent.getMetadata().getName());

    private static final Comparator<Agent> OF_ONE_HOST = Comparator.comparing(AgentFields::isOpen)
            .thenComparing(AgentFields::isDisconnected)
            .thenComparing(agent -> !AgentFields.isApproved(agent))
            .thenComparing(AGE);

    private static final Comparator<Agent> OF_UNKNOWN_HOSTS = Comparator.comparing(AgentFields::isOpen)
            .thenComparing(agent -> !AgentFields.isApproved(agent))
            .thenComparing(AgentFields::isDisconnected)
            .thenComparing(AGE);

    /** No Agent that counts. */
    public static final AgentChoice NONE = new AgentChoice(null, List.of(), Standing.NONE);

    /** Chooses among the Agents of one InfraEnv, all of its namespace and none bound to another cluster. */
    public static AgentChoice among(List<Agent> agents, HostIdentity identity) {
        List<Agent> present = agents.stream()
                .filter(agent -> agent.getMetadata().getDeletionTimestamp() == null)
                .toList();
        if (present.isEmpty()) {
            return NONE;
        }
        return switch (identity) {
            case HostIdentity.BootMac boot -> byMac(present, boot.mac());
            case HostIdentity.Nothing ignored -> only(present);
            case HostIdentity.Unknown ignored -> first(present, present, OF_ONE_HOST, Standing.UNIDENTIFIED);
        };
    }

    private static AgentChoice byMac(List<Agent> present, String mac) {
        List<Agent> matching = present.stream()
                .filter(agent -> hasBegun(agent) || HostIdentity.macs(agent).contains(mac))
                .toList();
        if (!matching.isEmpty()) {
            return first(matching, present, OF_ONE_HOST, Standing.SURE);
        }
        List<Agent> silent = present.stream()
                .filter(agent -> HostIdentity.macs(agent).isEmpty())
                .toList();
        return silent.isEmpty()
                ? new AgentChoice(null, present.stream().sorted(AGE).toList(), Standing.WRONG_HOST)
                : first(silent, present, OF_ONE_HOST, Standing.UNIDENTIFIED);
    }

    private static AgentChoice only(List<Agent> present) {
        boolean settled = present.size() == 1
                || present.stream().anyMatch(agent -> AgentFields.isApproved(agent) || !AgentFields.isOpen(agent));
        return settled
                ? first(present, present, OF_UNKNOWN_HOSTS, Standing.SURE)
                : new AgentChoice(null, present.stream().sorted(AGE).toList(), Standing.AMBIGUOUS);
    }

    private static AgentChoice first(
            List<Agent> candidates, List<Agent> present, Comparator<Agent> order, Standing standing) {
        Agent chosen = candidates.stream().min(order).orElseThrow();
        String name = chosen.getMetadata().getName();
        Stream<Agent> others =
                present.stream().filter(agent -> !agent.getMetadata().getName().equals(name));
        return new AgentChoice(chosen, others.sorted(order).toList(), standing);
    }

    /**
     * Approved besides the Machine's own, and not yet being installed: they are not to be counted as its host. None while
     * it is not known which host that is.
     */
    public List<Agent> toWithdraw() {
        return standing == Standing.UNIDENTIFIED
                ? List.of()
                : others.stream().filter(AgentChoice::isRevocable).toList();
    }

    /** All whose approval can still be taken back, the Machine's own included: the installation has not begun. */
    public List<Agent> revocable() {
        return Stream.concat(Stream.ofNullable(agent), others.stream())
                .filter(AgentChoice::isRevocable)
                .toList();
    }

    private static boolean isRevocable(Agent agent) {
        return AgentFields.isApproved(agent) && AgentFields.isOpen(agent);
    }

    private static boolean hasBegun(Agent agent) {
        return AgentFields.isApproved(agent) && !AgentFields.isOpen(agent);
    }

    private static String created(Agent agent) {
        String time = agent.getMetadata().getCreationTimestamp();
        return time == null ? "" : time;
    }
}
