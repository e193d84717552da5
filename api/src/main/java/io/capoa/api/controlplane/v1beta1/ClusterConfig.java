package io.capoa.api.controlplane.v1beta1;

import io.capoa.api.ApiType;
import io.capoa.api.LocalReference;
import io.capoa.api.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of the installed cluster. */
@ApiType
public record ClusterConfig(
        String baseDomain,
        @Nullable String clusterName,
        @Nullable List<String> apiVIPs,
        @Nullable List<String> ingressVIPs,
        @Nullable LocalReference pullSecretRef,
        @Nullable String sshAuthorizedKey,
        @Nullable Boolean mastersSchedulable,
        @Nullable List<LocalReference> manifestsConfigMapRefs,
        @Nullable LocalReference imageRegistryRef,
        @Nullable DiskEncryption diskEncryption,
        @Nullable Proxy proxy,
        @Nullable Capabilities capabilities) {

    @ApiType
    public record DiskEncryption(
            @Nullable String enableOn,
            @Nullable String mode,
            @Nullable String tangServers) {}

    @ApiType
    public record Capabilities(
            @Nullable String baselineCapability, @Nullable List<String> additionalEnabledCapabilities) {}
}
