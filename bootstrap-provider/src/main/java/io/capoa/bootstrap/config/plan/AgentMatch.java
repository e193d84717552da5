package io.capoa.bootstrap.config.plan;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentView;
import io.capoa.bootstrap.agent.AgentChoice;
import io.capoa.bootstrap.agent.HostIdentity;
import io.capoa.bootstrap.agent.HostReport;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.runtime.status.Blocker;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Explains why no Agent is chosen as the Machine's host. */
final class AgentMatch {

    private static final String BONDED = ". Ports that report the same MAC address are probably bonded, which hides"
            + " the address that the host boots from: if it is the Machine's host, have the ports keep their addresses"
            + " (bond option fail_over_mac: active), or bond them after the installation";

    private AgentMatch() {}

    /** Why no Agent is the Machine's. */
    static Blocker blocker(ConfigObservation seen, AgentChoice choice, HostIdentity identity) {
        return switch (choice.standing()) {
            case WRONG_HOST ->
                identity instanceof HostIdentity.BootMac boot ? wrongHost(choice.others(), boot) : none(seen);
            case AMBIGUOUS ->
                identity instanceof HostIdentity.Nothing nothing ? ambiguous(choice.others(), nothing) : none(seen);
            case NONE, SURE, UNIDENTIFIED -> none(seen);
        };
    }

    /** What is waited for where a host may be the Machine's and has not said enough. */
    static Optional<Blocker> unidentified(AgentChoice choice) {
        Agent agent = choice.agent();
        return agent != null && choice.standing() == AgentChoice.Standing.UNIDENTIFIED
                ? Optional.of(new Blocker(
                        ConfigConditions.WAITING_FOR_INVENTORY,
                        HostReport.name(agent) + " has not reported its network interfaces yet, by which it is"
                                + " recognised as the Machine's"))
                : Optional.empty();
    }

    /** Nothing has registered that counts. */
    private static Blocker none(ConfigObservation seen) {
        return seen.infrastructure().hostBlocker().orElseGet(() -> silent(seen));
    }

    private static Blocker silent(ConfigObservation seen) {
        String foreign = seen.ownsInfraEnv()
                ? seen.agents().stream()
                        .filter(seen::isForeign)
                        .map(agent -> "; Agent " + agent.getMetadata().getName()
                                + " registered with its InfraEnv but is bound to ClusterDeployment "
                                + AgentView.of(agent).clusterDeploymentName())
                        .sorted()
                        .collect(Collectors.joining())
                : "";
        return new Blocker(
                ConfigConditions.WAITING_FOR_AGENT,
                "No host has reported to assisted-service for this Machine" + foreign);
    }

    private static Blocker wrongHost(List<Agent> agents, HostIdentity.BootMac boot) {
        boolean one = agents.size() == 1;
        String hosts = agents.stream()
                .map(agent -> HostReport.name(agent) + " (Agent "
                        + agent.getMetadata().getName() + ", MAC addresses "
                        + HostIdentity.macs(agent).stream().distinct().collect(Collectors.joining(", ")) + ")")
                .collect(Collectors.joining(", "));
        return new Blocker(
                ConfigConditions.WRONG_HOST,
                hosts + " booted the media of this Machine, but the Machine's host is " + boot.host() + ": "
                        + (one ? "it is not approved" : "they are not approved")
                        + ". Remove the media from " + (one ? "that host" : "those hosts") + " and delete "
                        + (one ? "its Agent" : "their Agents")
                        + ", or " + boot.remedy()
                        + (agents.stream().anyMatch(HostIdentity::isBonded) ? BONDED : ""));
    }

    private static Blocker ambiguous(List<Agent> agents, HostIdentity.Nothing nothing) {
        String names =
                agents.stream().map(agent -> agent.getMetadata().getName()).collect(Collectors.joining(", "));
        return new Blocker(
                ConfigConditions.AMBIGUOUS_HOST,
                "Agents " + names + " booted the media of this Machine and none is approved, because nothing identifies"
                        + " the Machine's host (" + nothing.why() + "). Delete those that are not");
    }
}
