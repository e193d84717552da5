package io.capoa.bootstrap.config;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentView;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.BareMetalHostView;
import io.capoa.api.contract.ConditionView;
import io.capoa.bootstrap.boot.Infrastructure;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sets baremetal-operator's detached annotation on hosts that were installed from a live ISO, which would otherwise
 * boot that ISO again at each power-on. Like assisted-service's bare-metal agent controller, it detaches the host at
 * the reboot into the installed system. It removes the annotation before the host is deprovisioned, because a detached
 * host never is.
 */
final class Detachment {

    /** The stages in which a host runs what was installed, or is about to. */
    private static final Set<String> INSTALLED_SYSTEM =
            Set.of("Rebooting", "Waiting for ignition", "Configuring", "Joined", "Done");

    /** Without arguments: the host may be deleted at any time. */
    private static final String NO_ARGUMENTS = "{}";

    private Detachment() {}

    /** What to merge into the BareMetalHost; empty when it is as it should be. */
    static Map<String, Object> patch(ConfigObservation seen, @Nullable Agent agent) {
        if (!(seen.infrastructure() instanceof Infrastructure.Metal3 metal3)
                || metal3.host() == null
                || !isConsumer(metal3, metal3.host())) {
            return Map.of();
        }
        if (metal3.machine().getMetadata().getDeletionTimestamp() != null) {
            return attached(metal3.host());
        }
        boolean going = seen.owner() instanceof Owner.Of owner && owner.isGoing();
        return metal3.isLiveIso() && !going && agent != null && runsWhatWasInstalled(agent)
                ? detached(seen, metal3.host())
                : Map.of();
    }

    /** What gives a host back to baremetal-operator that this provider has detached; empty when it has not. */
    static Map<String, Object> attached(BareMetalHost host) {
        if (annotation(host, Annotations.DETACHED_FOR) == null) {
            return Map.of();
        }
        Map<String, Object> annotations = new HashMap<>();
        annotations.put(Annotations.DETACHED_FOR, null);
        annotations.put(Annotations.HOST_DETACHED, null);
        return Map.of("metadata", Map.of("annotations", annotations));
    }

    /** One that is detached by others is theirs to give back. */
    private static Map<String, Object> detached(ConfigObservation seen, BareMetalHost host) {
        boolean provisioned = BareMetalHostView.of(host).isProvisioned();
        return !provisioned
                        || annotation(host, Annotations.HOST_DETACHED) != null
                        || host.getMetadata().getDeletionTimestamp() != null
                ? Map.of()
                : Map.of(
                        "metadata",
                        Map.of(
                                "annotations",
                                Map.of(
                                        Annotations.HOST_DETACHED,
                                        NO_ARGUMENTS,
                                        Annotations.DETACHED_FOR,
                                        seen.config().getMetadata().getName())));
    }

    private static boolean isConsumer(Infrastructure.Metal3 metal3, BareMetalHost host) {
        return metal3.machine()
                .getMetadata()
                .getName()
                .equals(BareMetalHostView.of(host).consumerName());
    }

    private static boolean runsWhatWasInstalled(Agent agent) {
        String stage = AgentView.of(agent).currentStage();
        return (stage != null && INSTALLED_SYSTEM.contains(stage)) || ConditionView.isTrue(agent, "Installed");
    }

    private static @Nullable String annotation(BareMetalHost host, String name) {
        Map<String, String> annotations = host.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(name);
    }
}
