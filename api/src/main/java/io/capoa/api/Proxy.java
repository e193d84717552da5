package io.capoa.api;

import org.jspecify.annotations.Nullable;

/** HTTP proxy settings; each value as the environment variable of the same name takes it. */
@ApiType
public record Proxy(
        @Nullable String httpProxy,
        @Nullable String httpsProxy,
        @Nullable String noProxy) {}
