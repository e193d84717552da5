package io.capoa.controlplane.install;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The certificates that the installed nodes trust, as the installer's configuration takes them.
 *
 * @param asked {@code spec.config.additionalTrustBundle}, empty for none
 * @param mirrors those of the mirror registries, empty for none
 */
record TrustBundle(String asked, String mirrors) {

    private static final String BUNDLE = "additionalTrustBundle";
    private static final String POLICY = "additionalTrustBundlePolicy";

    /**
     * Puts the certificates into an override of the installer's configuration.
     *
     * <p>assisted-service adds those of the mirror registries itself, but an override takes the place of what it adds:
     * so they come along where anything is overridden.
     *
     * @return whether the override is another one now
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
            // The installer's own default trusts the bundle only where there is a proxy.
            override.put(POLICY, "Always");
            changed = true;
        }
        return changed;
    }
}
