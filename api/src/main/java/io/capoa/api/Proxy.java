package io.capoa.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** HTTP proxy settings; each value as the environment variable of the same name takes it. */
@ApiType
@JsonClassDescription("HTTP proxy settings, in the format of the environment variables of the same names.")
public record Proxy(
        @JsonPropertyDescription("URL of the proxy for plain HTTP requests. Example: http://proxy.example.com:3128.")
        @Size(max = 2048)
        @Pattern(Patterns.ONE_LINE)
        @Nullable
        String httpProxy,

        @JsonPropertyDescription("URL of the proxy for HTTPS requests; the scheme of the URL itself is usually http. "
                + "Example: http://proxy.example.com:3128.")
        @Size(max = 2048)
        @Pattern(Patterns.ONE_LINE)
        @Nullable
        String httpsProxy,

        @JsonPropertyDescription("Comma-separated domains, IP addresses and CIDRs that are reached without proxy; "
                + "a leading dot means all names below. Example: .example.com,192.168.0.0/16.")
        @Size(max = 16384)
        @Pattern(Patterns.ONE_LINE)
        @Nullable
        String noProxy) {}
