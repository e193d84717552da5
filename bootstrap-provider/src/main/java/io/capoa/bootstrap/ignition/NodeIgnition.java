package io.capoa.bootstrap.ignition;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.NodeRegistration;
import io.capoa.api.rules.node.InvalidIgnitionException;
import io.capoa.api.rules.node.InvalidNodeRegistrationException;
import io.capoa.api.rules.node.MetadataSource;
import io.capoa.api.rules.node.NodeValues;
import io.capoa.api.rules.node.NodeVariables;
import io.capoa.api.rules.node.SpecVersion;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Composes the ignition that a host gets in addition to assisted-service's: its hostname in the discovery phase; at
 * installation also node labels, provider ID, the user's commands and the success marker.
 */
public final class NodeIgnition {

    /** What the user's overrides are called in messages. */
    private static final String OVERRIDE_SOURCE = "Annotation " + Annotations.IGNITION_OVERRIDE;

    private static final String DISCOVERY_OVERRIDE_SOURCE = "Annotation " + Annotations.DISCOVERY_IGNITION_OVERRIDE;

    static final String DEFAULT_SENTINEL_DIRECTORY = "/var/lib/capoa";
    static final String DEFAULT_KUBECONFIG = "/var/lib/kubelet/kubeconfig";

    private static final String PROGRAMS = "/usr/local/bin/";
    private static final String CONFIG_DRIVE_SCRIPT = PROGRAMS + "configdrive_metadata";
    private static final String VALUES = "/etc/capoa/";

    private NodeIgnition() {}

    /**
     * The bootstrap data of a host that boots into the discovery phase.
     *
     * @param downloaded what assisted-service made
     * @param source what that is called in messages
     * @return the same bytes when there is nothing to add
     * @throws InvalidIgnitionException if the download is not an Ignition configuration that can be used
     * @throws InvalidNodeRegistrationException if the hostname cannot be set as the spec says
     */
    public static byte[] discovery(byte[] downloaded, OpenshiftAssistedConfigSpec spec, String source) {
        Ignition base = Ignition.parse(downloaded, source);
        return discoveryAdditions(spec)
                .map(additions -> base.merge(additions).toJson().getBytes(StandardCharsets.UTF_8))
                .orElse(downloaded);
    }

    /**
     * The bootstrap data of a host that fetches the ignition of its discovery phase when it boots.
     *
     * @param url where the host finds it
     * @param certificates in PEM, by which the host trusts that server besides its system's; may be empty
     * @throws InvalidNodeRegistrationException if the hostname cannot be set as the spec says
     */
    public static byte[] discoveryReference(String url, String certificates, OpenshiftAssistedConfigSpec spec) {
        return DiscoveryReference.compose(url, certificates, discoveryAdditions(spec))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** What names the host in the discovery phase; empty if nothing does. */
    private static Optional<Ignition> discoveryAdditions(OpenshiftAssistedConfigSpec spec) {
        String name = hostname(spec.nodeRegistration());
        return name == null ? Optional.empty() : Optional.of(addHostname(addMetadata(Ignition.empty(), spec), name));
    }

    /**
     * Reads what the user wants merged into the discovery ignition, for {@code InfraEnv.spec.ignitionConfigOverride}.
     *
     * @param override the user's text; one that is not JSON is ignored
     * @return empty if there is none
     * @throws InvalidIgnitionException if it is JSON but no Ignition configuration of version 3.1.0 or 3.2.0
     */
    public static Optional<Ignition> discoveryOverride(@Nullable String override) {
        return override == null || !Ignition.isJson(override)
                ? Optional.empty()
                : Optional.of(Ignition.parse(override, DISCOVERY_OVERRIDE_SOURCE)
                        .requireOverrideVersion(SpecVersion.OLDER_OVERRIDE, DISCOVERY_OVERRIDE_SOURCE));
    }

    /**
     * The configuration of the installed host for {@code Agent.spec.ignitionConfigOverrides}: of version 3.1.0, or 3.2.0
     * where the override is.
     *
     * @param override JSON that the user wants merged in, or {@code null}; text that is not JSON is ignored
     * @throws InvalidIgnitionException if the override is JSON but no Ignition configuration up to 3.2.0
     * @throws InvalidNodeRegistrationException if a setting cannot be brought to the node
     */
    public static String installTime(OpenshiftAssistedConfigSpec spec, @Nullable String override) {
        NodeRegistration node = spec.nodeRegistration();
        String name = hostname(node);
        requireOneName(spec, name);
        List<String> labels = NodeValues.labels(node == null ? List.of() : listed(node.kubeletExtraLabels()));
        String providerId = providerId(node);
        boolean labelled = !labels.isEmpty() || providerId != null;

        Ignition config = Ignition.empty();
        if (name != null || labelled || isSourceChosen(node)) {
            config = addMetadata(config, spec);
        }
        if (labelled) {
            config = addLabels(config, labels, providerId);
        }
        if (name != null) {
            config = addHostname(config, name);
        }
        config = addCommands(config, spec);
        if (providerId != null) {
            config = config.with(NodeResources.INJECT_PROVIDER_ID_UNIT.unit())
                    .with(NodeResources.INJECT_PROVIDER_ID.at(PROGRAMS + "inject-provider-id", NodeFile.PROGRAM));
        }
        config = config.with(NodeResources.BOOTSTRAP_SUCCESS_UNIT.unit())
                .with(NodeResources.BOOTSTRAP_SUCCESS.at(PROGRAMS + "capoa-bootstrap-success", NodeFile.PROGRAM));
        if (override != null && Ignition.isJson(override)) {
            config = config.merge(Ignition.parse(override, OVERRIDE_SOURCE)
                    .requireOverrideVersion(SpecVersion.OLDEST, OVERRIDE_SOURCE));
        }
        return config.toJson();
    }

    /** Whether the host is to read metadata although no setting may refer to them: the user's commands may. */
    private static boolean isSourceChosen(@Nullable NodeRegistration node) {
        return node != null
                && node.metadataSource() != null
                && !node.metadataSource().isBlank()
                && MetadataSource.of(node) != MetadataSource.NONE;
    }

    /** The metadata that the settings refer to, by the source that they choose. */
    private static Ignition addMetadata(Ignition config, OpenshiftAssistedConfigSpec spec) {
        NodeRegistration node = spec.nodeRegistration();
        MetadataSource source = MetadataSource.of(node);
        if (node != null) {
            NodeVariables.unprovided(node).ifPresent(problem -> {
                throw new InvalidNodeRegistrationException(problem);
            });
        }
        return (switch (source) {
                    case CONFIG_DRIVE ->
                        config.with(NodeResources.CONFIGDRIVE_METADATA_UNIT.unit())
                                .with(NodeResources.CONFIGDRIVE_METADATA.at(CONFIG_DRIVE_SCRIPT, NodeFile.PROGRAM));
                    case AWS -> addCloud(config, NodeResources.AWS_METADATA);
                    case AZURE -> addCloud(config, NodeResources.AZURE_METADATA);
                    case GCP -> addCloud(config, NodeResources.GCP_METADATA);
                    case OPENSTACK -> addCloud(config, NodeResources.OPENSTACK_METADATA);
                    case NONE -> config;
                })
                .with(NodeResources.EXPAND_METADATA.at(PROGRAMS + "capoa-expand-metadata", NodeFile.PROGRAM));
    }

    /** The script of the config drive comes along: it writes what the cloud's script has read. */
    private static Ignition addCloud(Ignition config, NodeResources script) {
        return config.with(NodeResources.CLOUD_METADATA_UNIT.unit())
                .with(script.at(PROGRAMS + "capoa-cloud-metadata", NodeFile.PROGRAM))
                .with(NodeResources.CLOUD_METADATA.at("/usr/local/lib/capoa/cloud_metadata.sh", NodeFile.VALUE))
                .with(NodeResources.CONFIGDRIVE_METADATA.at(CONFIG_DRIVE_SCRIPT, NodeFile.PROGRAM));
    }

    private static Ignition addLabels(Ignition config, List<String> labels, @Nullable String providerId) {
        Ignition with = config.with(NodeResources.KUBELET_CUSTOM_LABELS_UNIT.unit())
                .with(NodeResources.KUBELET_CUSTOM_LABELS.at(PROGRAMS + "kubelet_custom_labels", NodeFile.PROGRAM));
        if (!labels.isEmpty()) {
            with = with.with(new NodeFile(VALUES + "kubelet-labels", NodeFile.VALUE, lines(labels)));
        }
        if (providerId != null) {
            with = with.with(new NodeFile(VALUES + "provider-id", NodeFile.VALUE, providerId + "\n"));
        }
        return with;
    }

    private static Ignition addHostname(Ignition config, String name) {
        return config.with(NodeResources.SET_HOSTNAME_UNIT.unit())
                .with(NodeResources.SET_HOSTNAME.at(PROGRAMS + "set_hostname", NodeFile.PROGRAM))
                .with(new NodeFile(VALUES + "hostname", NodeFile.VALUE, name + "\n"));
    }

    private static Ignition addCommands(Ignition config, OpenshiftAssistedConfigSpec spec) {
        List<String> before = listed(spec.preBootstrapCommands());
        List<String> after = listed(spec.postBootstrapCommands());
        if (before.isEmpty() && after.isEmpty()) {
            return config;
        }
        String directory = NodeValues.directory(
                orDefault(spec.bootstrapCommandSentinelDir(), DEFAULT_SENTINEL_DIRECTORY),
                "bootstrapCommandSentinelDir");
        Ignition with = config.with(new NodeFile(VALUES + "sentinel-dir", NodeFile.VALUE, directory + "\n"));
        if (!before.isEmpty()) {
            with = with.with(NodeResources.PRE_BOOTSTRAP_UNIT.unit(directory))
                    .with(NodeResources.PRE_BOOTSTRAP.at(PROGRAMS + "capoa-pre-bootstrap.sh", NodeFile.PRIVATE_PROGRAM))
                    .with(new NodeFile(VALUES + "pre-bootstrap-commands", NodeFile.PRIVATE_VALUE, lines(before)));
        }
        if (!after.isEmpty()) {
            String kubeconfig = NodeValues.directory(
                    orDefault(spec.postBootstrapKubeconfigPath(), DEFAULT_KUBECONFIG), "postBootstrapKubeconfigPath");
            with = with.with(NodeResources.POST_BOOTSTRAP_UNIT.unit(directory))
                    .with(NodeResources.POST_BOOTSTRAP.at(
                            PROGRAMS + "capoa-post-bootstrap.sh", NodeFile.PRIVATE_PROGRAM))
                    .with(new NodeFile(VALUES + "kubeconfig-path", NodeFile.VALUE, kubeconfig + "\n"))
                    .with(new NodeFile(VALUES + "post-bootstrap-commands", NodeFile.PRIVATE_VALUE, lines(after)));
        }
        return with;
    }

    /** Two names would differ between assisted-service, which waits for a node, and the node. */
    private static void requireOneName(OpenshiftAssistedConfigSpec spec, @Nullable String variable) {
        String policy = spec.hostnamePolicy();
        if (variable != null && policy != null && !policy.equals(OpenshiftAssistedConfigSpec.HOSTNAME_NONE)) {
            throw new InvalidNodeRegistrationException("hostnamePolicy " + policy
                    + " and nodeRegistration.name both name the host: leave one of them out");
        }
    }

    private static @Nullable String hostname(@Nullable NodeRegistration node) {
        return node == null || node.name() == null || node.name().isBlank() ? null : NodeValues.hostname(node.name());
    }

    private static @Nullable String providerId(@Nullable NodeRegistration node) {
        return node == null || node.providerID() == null || node.providerID().isBlank()
                ? null
                : NodeValues.providerId(node.providerID());
    }

    private static List<String> listed(@Nullable List<String> list) {
        return list == null ? List.of() : list;
    }

    private static String orDefault(@Nullable String value, String fallBack) {
        return value == null || value.isBlank() ? fallBack : value;
    }

    private static String lines(List<String> lines) {
        return String.join("\n", lines) + "\n";
    }
}
