package io.capoa.bootstrap.agent;

import io.capoa.api.rules.disk.DiskRules;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an Agent that the infrastructure provider determines.
 *
 * @param name of the host in its provider, {@code null} if it has none there
 * @param nodeLabels labels by which the provider finds the host's Node; they override those of the config
 * @param disk rules that choose the installation disk unless the config chooses it; {@code null} if there are none
 */
public record HostHints(
        @Nullable String name,
        Map<String, String> nodeLabels,
        @Nullable DiskRules disk) {

    /** Of a provider that determines none. */
    public static final HostHints NONE = new HostHints(null, Map.of(), null);
}
