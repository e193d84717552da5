package io.capoa.controlplane.install;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Additional trusted certificates of the installed nodes, as the install-config takes them.
 *
 * @param asked {@code spec.config.additionalTrustBundle}, empty for none
 * @param mirrors certificates of the mirror registries, empty for none
 */
record TrustBundle(String asked, String mirrors) {

    private static final String BUNDLE = "additionalTrustBundle";
    private static final String POLICY = "additionalTrustBundlePolicy";

    /**
     * Adds the certificates to an install-config override.
     *
     * <p>assisted-service adds those of the mirror registries itself, but an override replaces them, so an override
     * must repeat them.
     *
     * @return whether the override changed
     */
    boolean into(ObjectNode override) {
        String annotated = override.path(BUNDLE).asText("");
        if (asked.isBlank() && annotated.isBlank()) {
            return false;
        }
        String united = Stream.of(asked, annotated, mirrors)
                .map(String::strip)
                .filter(bundle -> !bundle.isEmpty())
                .distinct()
                .collect(Collectors.joining("\n"));
        boolean changed = !List.of(united, united + "\n").contains(annotated);
        if (changed) {
            override.put(BUNDLE, united + "\n");
        }
        if (!asked.isBlank() && !override.has(POLICY)) {
            // The installer's default trusts the bundle only behind a proxy.
            override.put(POLICY, "Always");
            changed = true;
        }
        return changed;
    }
}
