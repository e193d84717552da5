package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Machine;
import io.capoa.runtime.status.ReportedConditions;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the host of an unhealthy Machine is off, so that its Node and etcd member can be removed. A host that came back
 * in between would register its Node and have its member added again. The bootstrap provider powers it off.
 */
public sealed interface HostOff {

    /** It is off, or the infrastructure provider does not manage its power. */
    record Done() implements HostOff {}

    /** The bootstrap provider has to be asked, by an annotation of the Machine. */
    record Unrequested() implements HostOff {}

    /** It is not off yet. */
    record NotYet(String message) implements HostOff {}

    /**
     * The answer.
     *
     * @param config of the Machine; {@code null} if it does not exist, so that nothing powers the host off
     */
    static HostOff of(Machine machine, @Nullable OpenshiftAssistedConfig config) {
        if (config == null || Annotations.has(machine, Annotations.HOST_IS_OFF)) {
            return new Done();
        }
        if (!Annotations.has(machine, Annotations.POWER_OFF_HOST)) {
            return new Unrequested();
        }
        Optional<Condition> condition = answer(config);
        boolean isOff = condition
                .filter(answer -> !answer.status().equals(Condition.FALSE))
                .isPresent();
        return isOff
                ? new Done()
                : new NotYet(
                        ("its host is powered off first%s; if it cannot be, switch it off by hand and set annotation %s"
                                        + " on the Machine")
                                .formatted(
                                        condition
                                                .map(answer -> ": " + answer.message())
                                                .orElse(""),
                                        Annotations.HOST_IS_OFF));
    }

    /**
     * Merge patch of the Machine that asks for it.
     *
     * @param unhealthy whether no Machine is to take the host again
     */
    static Map<String, Object> request(boolean unhealthy) {
        return Map.of(
                "metadata",
                Map.of("annotations", Map.of(Annotations.POWER_OFF_HOST, unhealthy ? Annotations.UNHEALTHY : "")));
    }

    private static Optional<Condition> answer(OpenshiftAssistedConfig config) {
        return ReportedConditions.in(config.getStatus()).get(ConfigConditions.HOST_POWERED_OFF);
    }
}
