package io.capoa.bootstrap.agent;

import io.capoa.api.contract.Agent;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which of the hosts that came up with a Machine's boot media is the Machine's. Never more than one is approved:
 *
 * <ul>
 *   <li>a host whose installation has begun is the Machine's, whatever else registers;
 *   <li>before that, one that answers goes before one that is disconnected: a host that comes back under a new id
 *       (another system board) takes the place of what it was, whose approval is taken back;
 *   <li>else what is approved stays so, and of the others the first to register is taken;
 *   <li>an Agent that is being deleted does not count: the next in line takes its place;
 *   <li>Agents of other InfraEnvs, or of an InfraEnv that was not made for the Machine, are never looked at.
 * </ul>
 *
 * @param agent the one, or {@code null} when none has registered
 * @param others those that booted the same media besides
 */
public record AgentChoice(@Nullable Agent agent, List<Agent> others) {

    private static final Comparator<Agent> ORDER = Comparator.comparing(AgentFields::isOpen)
            .thenComparing(AgentFields::isDisconnected)
            .thenComparing(agent -> !AgentFields.isApproved(agent))
            .thenComparing(AgentChoice::created)
            .thenComparing(agent -> agent.getMetadata().getName());

    /** Where nobody registered that counts. */
    public static final AgentChoice NONE = new AgentChoice(null, List.of());

    /** Chooses among the Agents of one InfraEnv, all of its namespace. */
    public static AgentChoice among(List<Agent> agents) {
        List<Agent> present = agents.stream()
                .filter(agent -> agent.getMetadata().getDeletionTimestamp() == null)
                .sorted(ORDER)
                .toList();
        return present.isEmpty() ? NONE : new AgentChoice(present.getFirst(), present.subList(1, present.size()));
    }

    /** Approved besides the Machine's own, and not yet being installed: they are not to be counted as its host. */
    public List<Agent> toWithdraw() {
        return others.stream()
                .filter(other -> AgentFields.isApproved(other) && AgentFields.isOpen(other))
                .toList();
    }

    private static String created(Agent agent) {
        String time = agent.getMetadata().getCreationTimestamp();
        return time == null ? "" : time;
    }
}
