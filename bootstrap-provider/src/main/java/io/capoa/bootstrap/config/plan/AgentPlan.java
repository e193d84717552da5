package io.capoa.bootstrap.config.plan;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentView;
import io.capoa.api.contract.MachineView;
import io.capoa.api.rules.disk.DiskChoice;
import io.capoa.api.rules.disk.InstallationDisk;
import io.capoa.api.rules.node.InvalidIgnitionException;
import io.capoa.api.rules.node.InvalidNodeRegistrationException;
import io.capoa.bootstrap.agent.AgentChoice;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.bootstrap.agent.AgentSettings;
import io.capoa.bootstrap.agent.HostHints;
import io.capoa.bootstrap.agent.HostIdentity;
import io.capoa.bootstrap.agent.HostReport;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.Owner;
import io.capoa.bootstrap.ignition.NodeIgnition;
import io.capoa.bootstrap.infrastructure.Host;
import io.capoa.runtime.status.Blocker;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Planned changes of the Agents that booted a Machine's media.
 *
 * @param choice which of them is the Machine's
 * @param patch to merge into that Agent
 * @param withdrawn Agents that lose their approval, before another gets it
 * @param blocker why no Agent is approved once all is written; never empty where none is chosen
 */
public record AgentPlan(
        AgentChoice choice, Map<String, Object> patch, List<Agent> withdrawn, Optional<Blocker> blocker) {

    static AgentPlan of(ConfigObservation seen) {
        HostIdentity identity = seen.infrastructure().identity();
        AgentChoice choice = seen.ownsInfraEnv() ? AgentChoice.among(seen.candidates(), identity) : AgentChoice.NONE;
        Agent agent = choice.agent();
        Host host = seen.infrastructure().host();
        Optional<Blocker> other = host == null ? Optional.empty() : host.otherController();
        boolean going = seen.owner() instanceof Owner.Of of && of.isGoing();
        if (other.isPresent() && !going && (agent == null || AgentFields.isOpen(agent))) {
            return new AgentPlan(choice, Map.of(), List.of(), other);
        }
        if (agent == null) {
            Blocker why =
                    seen.infrastructure().bootFailure().orElseGet(() -> AgentMatch.blocker(seen, choice, identity));
            return new AgentPlan(choice, Map.of(), choice.toWithdraw(), Optional.of(why));
        }
        if (!(seen.owner() instanceof Owner.Of owner)) {
            return new AgentPlan(choice, Map.of(), List.of(), Optional.empty());
        }
        if (!AgentFields.isOpen(agent)) {
            return held(
                    choice,
                    agent,
                    new Blocker(
                            ConfigConditions.WAITING_FOR_APPROVAL,
                            "Agent " + agent.getMetadata().getName() + " is in a state in which it cannot be changed"));
        }
        if (owner.isGoing()) {
            // Its host is about to be powered off: an installation that begins with it would fail.
            return new AgentPlan(choice, Map.of(), choice.revocable(), Optional.of(owner.going()));
        }
        return approved(seen, owner, identity, choice, agent);
    }

    private static AgentPlan approved(
            ConfigObservation seen, Owner.Of owner, HostIdentity identity, AgentChoice choice, Agent agent) {
        OpenshiftAssistedConfigSpec spec = seen.config().getSpec();
        Host host = seen.infrastructure().host();
        HostHints hints = host == null ? HostHints.NONE : host.hints();
        DiskChoice disk = InstallationDisk.choose(agent, spec.installationDisk(), hints.disk());
        Optional<Blocker> missing =
                unknownHost(identity).or(() -> AgentMatch.unidentified(choice)).or(() -> diskBlocker(agent, disk));
        if (missing.isPresent()) {
            return held(choice, agent, missing.get());
        }
        try {
            String ignition = NodeIgnition.installTime(spec, seen.annotation(Annotations.IGNITION_OVERRIDE));
            AgentSettings settings = AgentSettings.of(spec, owner.machine(), hints, ignition, diskId(disk));
            Optional<Blocker> taken = nodeName(seen, agent, settings);
            if (taken.isPresent()) {
                return held(choice, agent, taken.get());
            }
            Map<String, Object> patch = AgentFields.patch(agent, settings);
            return new AgentPlan(
                    choice, patch, choice.toWithdraw(), patch.isEmpty() ? refusal(agent) : Optional.empty());
        } catch (InvalidIgnitionException invalid) {
            return held(
                    choice,
                    agent,
                    new Blocker(ConfigConditions.INVALID_IGNITION, String.valueOf(invalid.getMessage())));
        } catch (InvalidNodeRegistrationException invalid) {
            return held(
                    choice,
                    agent,
                    new Blocker(ConfigConditions.INVALID_NODE_REGISTRATION, String.valueOf(invalid.getMessage())));
        }
    }

    /** The same where more is known of why no host has reported. */
    AgentPlan because(Blocker more) {
        return new AgentPlan(choice, patch, withdrawn, Optional.of(more));
    }

    /** The Machine's Agent is not changed, and keeps an approval that it has; that of other hosts ends all the same. */
    private static AgentPlan held(AgentChoice choice, Agent agent, Blocker why) {
        return new AgentPlan(
                choice,
                Map.of(),
                choice.toWithdraw(),
                AgentFields.isApproved(agent) ? Optional.empty() : Optional.of(why));
    }

    /**
     * Cluster API ends the deletion of a Machine by deleting its Node, by name, whatever Node has it by then
     * ({@code deleteNode} of its Machine controller). The kubelet of a host that has joined under the name meanwhile would
     * not register again before its next start.
     */
    private static Optional<Blocker> nodeName(ConfigObservation seen, Agent agent, AgentSettings settings) {
        String name = Objects.requireNonNullElseGet(
                settings.hostname(),
                () -> Objects.requireNonNullElse(AgentView.of(agent).hostname(), ""));
        return seen.leaving().stream()
                .filter(machine -> name.equalsIgnoreCase(MachineView.of(machine).nodeName()))
                .map(machine -> machine.getMetadata().getName())
                .sorted()
                .findFirst()
                .map(machine -> new Blocker(
                        ConfigConditions.WAITING_FOR_NODE_NAME,
                        "%s is to become Node %s, which Cluster API deletes at the end of the deletion of Machine %s: waiting until that Machine is gone"
                                .formatted(HostReport.name(agent), name, machine)));
    }

    private static Optional<Blocker> unknownHost(HostIdentity identity) {
        return identity instanceof HostIdentity.Unknown unknown ? Optional.of(unknown.why()) : Optional.empty();
    }

    private static @Nullable String diskId(DiskChoice disk) {
        return disk instanceof DiskChoice.Chosen chosen ? chosen.id() : null;
    }

    private static Optional<Blocker> diskBlocker(Agent agent, DiskChoice disk) {
        String host = HostReport.name(agent);
        return switch (disk) {
            case DiskChoice.Chosen ignored -> Optional.empty();
            case DiskChoice.Unasked ignored -> Optional.empty();
            case DiskChoice.NotReported ignored ->
                Optional.of(
                        new Blocker(ConfigConditions.WAITING_FOR_INVENTORY, host + " has not reported its disks yet"));
            case DiskChoice.None none ->
                Optional.of(new Blocker(ConfigConditions.INSTALLATION_DISK_NOT_FOUND, host + ": " + none.message()));
        };
    }

    private static Optional<Blocker> refusal(Agent agent) {
        return Optional.ofNullable(AgentFields.refusal(agent))
                .map(words -> new Blocker(
                        ConfigConditions.AGENT_SPEC_REFUSED,
                        HostReport.name(agent) + ": assisted-service rejects the spec of Agent "
                                + agent.getMetadata().getName() + ": " + HostReport.withoutTokens(words)));
    }
}
