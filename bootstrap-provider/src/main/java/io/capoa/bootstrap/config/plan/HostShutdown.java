package io.capoa.bootstrap.config.plan;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.Owner;
import io.capoa.bootstrap.infrastructure.HostPower;
import io.capoa.runtime.status.Conditions;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Has the host of an unhealthy control plane Machine powered off before its Node and etcd member are removed: a host that
 * came back would join them again. The control-plane provider asks for it and waits for the condition.
 */
public final class HostShutdown {

    private HostShutdown() {}

    /** What to merge into the host's object; empty if it is as it should be. */
    public static Map<String, Object> patch(ConfigObservation seen) {
        return power(seen).map(HostPower::patch).orElse(Map.of());
    }

    /** Sets condition HostPoweredOff if it was asked for. */
    public static void report(Conditions conditions, ConfigObservation seen) {
        if (request(seen) == null) {
            return;
        }
        Optional<HostPower> power = power(seen);
        if (power.isEmpty()) {
            conditions.isUnknown(
                    ConfigConditions.HOST_POWERED_OFF,
                    ConfigConditions.HOST_POWER_NOT_MANAGED,
                    "the Machine's infrastructure provider does not show the power of its host");
        } else if (power.get().isOff()) {
            conditions.isTrue(
                    ConfigConditions.HOST_POWERED_OFF,
                    ConfigConditions.HOST_POWERED_OFF,
                    power.get().message());
        } else {
            conditions.isFalse(
                    ConfigConditions.HOST_POWERED_OFF,
                    ConfigConditions.POWERING_OFF_HOST,
                    power.get().message());
        }
    }

    private static Optional<HostPower> power(ConfigObservation seen) {
        String request = request(seen);
        return request == null
                ? Optional.empty()
                : seen.infrastructure().powerOff(request.equals(Annotations.UNHEALTHY));
    }

    /** The request's value; {@code null} if there is none. */
    private static @Nullable String request(ConfigObservation seen) {
        if (!(seen.owner() instanceof Owner.Of owner) || !owner.isGoing()) {
            return null;
        }
        Map<String, String> annotations = owner.machine().getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(Annotations.POWER_OFF_HOST);
    }
}
