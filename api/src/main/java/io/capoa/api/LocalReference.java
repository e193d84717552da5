package io.capoa.api;

import org.jspecify.annotations.Nullable;

/** A reference by name to an object in the same namespace. */
@ApiType
public record LocalReference(@Nullable String name) {}
