package io.capoa.api.bootstrap.v1beta1;

import io.capoa.api.ApiType;
import io.capoa.api.conditions.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the bootstrap provider has made for a host and what it waits for. */
@ApiType
public record OpenshiftAssistedConfigStatus(
        @Nullable Initialization initialization,
        @Nullable String dataSecretName,
        @Nullable Long observedGeneration,
        @Nullable List<Condition> conditions) {

    @ApiType
    public record Initialization(@Nullable Boolean dataSecretCreated) {}
}
