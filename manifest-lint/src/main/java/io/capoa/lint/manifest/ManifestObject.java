package io.capoa.lint.manifest;

import io.capoa.api.contract.Fields;
import io.capoa.api.untrusted.UntrustedContent;
import java.util.Map;

/**
 * An object of a manifest.
 *
 * @param apiVersion empty if absent, as are namespace and name
 * @param content the whole object
 */
public record ManifestObject(String apiVersion, String kind, String namespace, String name, Map<?, ?> content) {

    static ManifestObject of(Map<?, ?> content) {
        return new ManifestObject(
                text(content, "apiVersion"),
                text(content, "kind"),
                text(content, "metadata", "namespace"),
                text(content, "metadata", "name"),
                content);
    }

    ManifestObject withoutContent() {
        return new ManifestObject(apiVersion, kind, namespace, name, Map.of());
    }

    /** Kind, namespace and name, for messages. */
    public String label() {
        return kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + (name.isEmpty() ? "without a name" : name);
    }

    private static String text(Map<?, ?> content, String... path) {
        return Fields.any(content, path) instanceof String text ? UntrustedContent.quoted(text) : "";
    }
}
