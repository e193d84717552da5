package io.capoa.api.bootstrap.v1beta1;

import io.capoa.api.ApiType;
import io.capoa.api.LocalReference;
import io.capoa.api.Proxy;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Discovery, boot and join settings of one host. */
@ApiType
public record OpenshiftAssistedConfigSpec(
        @Nullable Proxy proxy,
        @Nullable LocalReference pullSecretRef,
        @Nullable List<String> additionalNTPSources,
        @Nullable String sshAuthorizedKey,
        @Nullable LabelSelector nmStateConfigLabelSelector,
        @Nullable String cpuArchitecture,
        @Nullable List<KernelArgument> kernelArguments,
        @Nullable String additionalTrustBundle,
        @Nullable String osImageVersion,
        @Nullable List<String> preBootstrapCommands,
        @Nullable List<String> postBootstrapCommands,
        @Nullable String bootstrapCommandSentinelDir,
        @Nullable String postBootstrapKubeconfigPath,
        @Nullable NodeRegistration nodeRegistration) {

    /** A change to the kernel command line of the installed host. */
    @ApiType
    public record KernelArgument(
            @Nullable String operation, @Nullable String value) {}

    /** How the host names itself and what its kubelet registers with. */
    @ApiType
    public record NodeRegistration(
            @Nullable String name,
            @Nullable List<String> kubeletExtraLabels,
            @Nullable String providerID) {}
}
