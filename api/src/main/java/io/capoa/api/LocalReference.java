package io.capoa.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.schema.Atomic;
import io.capoa.api.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** A reference by name to an object in the same namespace. */
@ApiType
@Atomic
@JsonClassDescription("A reference by name to an object in the same namespace.")
public record LocalReference(
        @JsonPropertyDescription("Name of the object, in the same namespace. An empty name is no reference.")
        @Size(max = 253)
        @Pattern(Patterns.OPTIONAL_DNS_SUBDOMAIN)
        @Nullable
        String name) {}
