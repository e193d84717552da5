package io.capoa.bootstrap.agent;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Fields;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which of the hosts that came up with a Machine's boot media is the Machine's.
 *
 * @param agent the one, or {@code null} when none has registered
 * @param others those that booted the same media besides
 */
public record AgentChoice(@Nullable Agent agent, List<Agent> others) {

    /** First what is approved, for that is never taken back; then what registered first. */
    private static final Comparator<Agent> ORDER = Comparator.comparing(
                    (Agent agent) -> !Fields.isTrue(agent, "spec", "approved"))
            .thenComparing(AgentChoice::created)
            .thenComparing(agent -> agent.getMetadata().getName());

    /**
     * Chooses among the Agents of one InfraEnv, all of its namespace. Agents that are being deleted do not count: a host
     * that registers anew takes the place of what it was.
     */
    public static AgentChoice among(List<Agent> agents) {
        List<Agent> present = agents.stream()
                .filter(agent -> agent.getMetadata().getDeletionTimestamp() == null)
                .sorted(ORDER)
                .toList();
        return present.isEmpty()
                ? new AgentChoice(null, List.of())
                : new AgentChoice(present.getFirst(), present.subList(1, present.size()));
    }

    private static String created(Agent agent) {
        String time = agent.getMetadata().getCreationTimestamp();
        return time == null ? "" : time;
    }
}
