package io.capoa.api.controlplane.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** How Machines of an installed control plane are replaced that no longer match the spec. */
@ApiType
@JsonClassDescription("How Machines of an installed control plane are replaced that no longer match the spec.")
public record RolloutSettings(
        @JsonPropertyDescription(
                "Replace all Machines that were created before this time. Example: " + "2026-11-22T20:00:00Z.")
        @Size(min = 20, max = 35)
        @ValidationRule(
                value = "self.matches('^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?Z$')"
                        + " && timestamp(self) > timestamp('1970-01-01T00:00:00Z')",
                message = "spec.rollout.after takes a time in UTC: write 2026-11-22T20:00:00Z, for example")
        @Nullable
        String after,

        @JsonPropertyDescription("Order of creation and deletion.") @Nullable
        Strategy strategy) {

    /** Order of creation and deletion. */
    @ApiType
    @JsonClassDescription("Order of creation and deletion.")
    @ValidationRule(
            value = "!has(self.rollingUpdate) || self.type == 'RollingUpdate'",
            message = "spec.rollout.strategy.rollingUpdate belongs to type RollingUpdate: set that type, or remove it")
    public record Strategy(
            @JsonPropertyDescription("RollingUpdate replaces Machines one at a time. OnDelete replaces a Machine after "
                    + "you delete it. Absent: RollingUpdate, but OnDelete while a Machine exists that this control "
                    + "plane adopted instead of creating it.")
            @Required
            @ValidationRule(
                    value = "self in ['RollingUpdate', 'OnDelete']",
                    message = "spec.rollout.strategy.type takes RollingUpdate or OnDelete")
            String type,

            @JsonPropertyDescription("Settings of RollingUpdate.") @Nullable
            RollingUpdate rollingUpdate) {}

    /** Settings of RollingUpdate. */
    @ApiType
    @JsonClassDescription("Settings of RollingUpdate.")
    public record RollingUpdate(
            @JsonPropertyDescription("Number of Machines beyond spec.replicas during the rollout. With 1, a Machine is "
                    + "created before one is deleted, which takes one free host. With 0, one is deleted first, which "
                    + "etcd permits with four or more Machines only. Absent: 1.")
            @ValidationRule(
                    value = "self in [0, 1]",
                    message = "spec.rollout.strategy.rollingUpdate.maxSurge takes 0 or 1")
            @Nullable
            Integer maxSurge) {}
}
