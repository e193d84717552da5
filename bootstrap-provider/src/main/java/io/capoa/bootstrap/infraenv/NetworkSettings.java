package io.capoa.bootstrap.infraenv;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.NMStateConfig;
import io.capoa.api.rules.LabelSelection;
import io.capoa.api.untrusted.UntrustedContent;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The NMStateConfigs that a config selects; assisted-service adds them to the discovery ignition. It lists those of all
 * namespaces.
 */
public final class NetworkSettings {

    private static final String DIGEST = "digest";

    /** Key of all NMStateConfigs, for selectors without {@code matchLabels}. */
    private static final String ANY = "";

    private static final ObjectMapper JSON = UntrustedContent.json();

    private NetworkSettings() {}

    /** Whether a config selects NMStateConfigs at all. */
    public static boolean areSelected(OpenshiftAssistedConfig config) {
        return selector(config) != null;
    }

    /** A key that each NMStateConfig has that the config selects; empty when it selects none. */
    public static Optional<String> selectedKey(OpenshiftAssistedConfig config) {
        return Optional.ofNullable(selector(config))
                .map(selector -> selector.getMatchLabels() == null
                        ? ANY
                        : labels(selector.getMatchLabels()).findFirst().orElse(ANY));
    }

    /** The keys of an NMStateConfig. */
    public static List<String> keys(NMStateConfig settings) {
        Map<String, String> labels = settings.getMetadata().getLabels();
        return Stream.concat(Stream.of(ANY), labels == null ? Stream.of() : labels(labels))
                .toList();
    }

    private static Stream<String> labels(Map<String, String> labels) {
        return labels.entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .sorted();
    }

    /** How many of the NMStateConfigs that the config selects are in other namespaces. */
    public static int foreign(OpenshiftAssistedConfig config, Stream<NMStateConfig> candidates) {
        return (int) selected(config, candidates)
                .filter(settings -> isForeign(config, settings))
                .count();
    }

    /** The selector as {@code kubectl -l} takes it. */
    public static String selectorText(OpenshiftAssistedConfig config) {
        LabelSelector selector = selector(config);
        Map<String, String> labels = selector == null ? null : selector.getMatchLabels();
        return labels == null ? "" : labels(labels).collect(Collectors.joining(","));
    }

    /** Of an NMStateConfig what a cache keeps: a fingerprint of its content. */
    public static NMStateConfig fingerprint(NMStateConfig settings) {
        Object spec = settings.getAdditionalProperties().get("spec");
        settings.getAdditionalProperties().clear();
        settings.setAdditionalProperty(
                DIGEST,
                ByteString.encodeUtf8(json(spec == null ? Map.of() : spec))
                        .sha256()
                        .hex());
        return settings;
    }

    /** A text that changes with the settings that the config selects; empty when it selects none. */
    public static String fingerprints(OpenshiftAssistedConfig config, Stream<NMStateConfig> candidates) {
        return selected(config, candidates)
                .map(settings -> name(config, settings) + "="
                        + Objects.requireNonNullElseGet(
                                Fields.string(settings, DIGEST), () -> json(settings.getAdditionalProperties())))
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    private static Stream<NMStateConfig> selected(OpenshiftAssistedConfig config, Stream<NMStateConfig> candidates) {
        LabelSelector selector = selector(config);
        return selector == null
                ? Stream.of()
                : candidates.filter(settings ->
                        LabelSelection.selects(selector, settings.getMetadata().getLabels()));
    }

    private static String name(OpenshiftAssistedConfig config, NMStateConfig settings) {
        String name = settings.getMetadata().getName();
        return isForeign(config, settings) ? settings.getMetadata().getNamespace() + "/" + name : name;
    }

    private static boolean isForeign(OpenshiftAssistedConfig config, NMStateConfig settings) {
        return !Objects.equals(
                config.getMetadata().getNamespace(), settings.getMetadata().getNamespace());
    }

    private static String json(Object value) {
        return JSON.valueToTree(value).toString();
    }

    private static @Nullable LabelSelector selector(OpenshiftAssistedConfig config) {
        LabelSelector selector =
                config.getSpec() == null ? null : config.getSpec().nmStateConfigLabelSelector();
        return selector == null
                        || (isEmpty(selector.getMatchLabels())
                                && selector.getMatchExpressions().isEmpty())
                ? null
                : selector;
    }

    private static boolean isEmpty(@Nullable Map<String, String> labels) {
        return labels == null || labels.isEmpty();
    }
}
