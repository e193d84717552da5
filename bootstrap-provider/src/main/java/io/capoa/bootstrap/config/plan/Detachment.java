package io.capoa.bootstrap.config.plan;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentView;
import io.capoa.api.contract.ConditionView;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.Owner;
import io.capoa.bootstrap.infrastructure.Host;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a host is detached from its infrastructure provider, which would otherwise boot the discovery media again.
 * Like assisted-service's bare-metal agent controller, it detaches the host at the reboot into the installed system.
 */
public final class Detachment {

    /** The stages in which a host runs what was installed, or is about to. */
    private static final Set<String> INSTALLED_SYSTEM =
            Set.of("Rebooting", "Waiting for ignition", "Configuring", "Joined", "Done");

    private Detachment() {}

    /** What to merge into the host's object; empty when it is as it should be. */
    public static Map<String, Object> patch(ConfigObservation seen, @Nullable Agent agent) {
        Host host = seen.infrastructure().host();
        boolean going = seen.owner() instanceof Owner.Of owner && owner.isGoing();
        boolean installed = !going && agent != null && runsWhatWasInstalled(agent);
        return host == null
                ? Map.of()
                : host.detachment(installed, seen.config().getMetadata().getName());
    }

    private static boolean runsWhatWasInstalled(Agent agent) {
        String stage = AgentView.of(agent).currentStage();
        return (stage != null && INSTALLED_SYSTEM.contains(stage)) || ConditionView.isTrue(agent, "Installed");
    }
}
