package io.capoa.controlplane.install;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.Annotations;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.untrusted.LongInput;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The install-config override: the user's annotation and the capabilities, merged deeply. */
public sealed interface InstallConfig {

    /**
     * The override.
     *
     * @param json {@code null} for none
     */
    record Overrides(@Nullable String json) implements InstallConfig {}

    /**
     * The user's settings are invalid.
     *
     * @param message names the invalid setting and what to write instead
     */
    record Invalid(String message) implements InstallConfig {}

    ObjectMapper JSON = UntrustedContent.jsonBuilder()
            .configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true)
            .build();

    /**
     * Computes the override for a control plane.
     *
     * <p>A value of {@code spec.config} takes precedence over the annotation, which takes precedence over a default;
     * lists of capabilities and certificates are joined.
     *
     * @param mirrorCertificates PEM certificates of the cluster's mirror registries, empty for none
     */
    static InstallConfig of(ControlPlaneIdentity identity, Platform platform, String mirrorCertificates) {
        return of(
                identity.controlPlane().getSpec().config(),
                identity.controlPlane().getMetadata().getAnnotations(),
                platform,
                mirrorCertificates);
    }

    /** As above, from the control plane's settings and annotations alone. */
    static InstallConfig of(@Nullable ClusterConfig config, @Nullable Map<String, String> annotations) {
        return of(config, annotations, Platform.of(config), "");
    }

    private static InstallConfig of(
            @Nullable ClusterConfig config,
            @Nullable Map<String, String> annotations,
            Platform platform,
            String mirrorCertificates) {
        Capabilities capabilities = new Capabilities(config, platform);
        String invalid = capabilities.invalid();
        if (invalid != null) {
            return new Invalid(invalid);
        }
        String bundle = config == null ? null : config.additionalTrustBundle();
        TrustBundle trust = new TrustBundle(bundle == null ? "" : bundle, mirrorCertificates);
        String annotation = annotations == null ? null : annotations.get(Annotations.INSTALL_CONFIG_OVERRIDE);
        if (annotation == null || annotation.isBlank()) {
            ObjectNode own = JSON.createObjectNode();
            if (capabilities.wanted()) {
                own.set("capabilities", capabilities.json());
            }
            trust.into(own);
            return new Overrides(own.isEmpty() ? null : own.toString());
        }
        return LongInput.parse(annotation.length(), () -> merged(annotation, capabilities, trust));
    }

    private static InstallConfig merged(String annotation, Capabilities capabilities, TrustBundle trust) {
        ObjectNode override;
        try {
            if (!(JSON.readTree(annotation) instanceof ObjectNode object)) {
                return new Invalid(notAnObject());
            }
            override = object;
        } catch (JsonProcessingException e) {
            return new Invalid(notAnObject() + ": " + e.getOriginalMessage());
        }
        boolean trusted = trust.into(override);
        if (!capabilities.wanted()) {
            return new Overrides(trusted ? sorted(override) : annotation);
        }
        JsonNode own = override.path("capabilities");
        override.set("capabilities", capabilities.over(own instanceof ObjectNode object ? object : null));
        return new Overrides(sorted(override));
    }

    private static String notAnObject() {
        return "annotation " + Annotations.INSTALL_CONFIG_OVERRIDE + " must hold a JSON object";
    }

    /** Sorts keys, so that the same settings give the same text. */
    private static String sorted(ObjectNode node) {
        try {
            return JSON.writeValueAsString(JSON.treeToValue(node, Map.class));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree can be written", e);
        }
    }

    /** Writes a list of names as a JSON array. */
    static ArrayNode array(List<String> names) {
        ArrayNode array = JSON.createArrayNode();
        names.forEach(array::add);
        return array;
    }
}
