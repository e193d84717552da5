package io.capoa.api.rules;

import io.capoa.api.Annotations;
import io.capoa.api.rules.node.IgnitionCheck;
import io.capoa.api.rules.node.IgnitionJson;
import io.capoa.api.rules.node.InvalidIgnitionException;
import io.capoa.api.rules.node.SpecVersion;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Validates the ignition overrides in annotations of configs and control planes. */
public final class IgnitionOverrides {

    private IgnitionOverrides() {}

    /**
     * Checks both annotations.
     *
     * @param owner the object or template whose metadata has them
     */
    public static void check(Section owner, @Nullable Map<String, String> annotations) {
        check(owner, annotations, Annotations.DISCOVERY_IGNITION_OVERRIDE, SpecVersion.OLDER_OVERRIDE);
        check(owner, annotations, Annotations.IGNITION_OVERRIDE, SpecVersion.OLDEST);
    }

    private static void check(
            Section owner, @Nullable Map<String, String> annotations, String name, SpecVersion oldest) {
        String value = Section.given(annotations, name);
        if (value == null) {
            return;
        }
        try {
            IgnitionJson ignition = IgnitionJson.parse(value, "The value").requireOverrideVersion(oldest, "The value");
            IgnitionCheck found = IgnitionCheck.of(ignition);
            Section annotation = owner.annotation(name);
            newerFields(annotation, ignition);
            found.mistakes().forEach(mistake -> annotation.refuse("cannot be used: " + mistake));
            found.doubts().forEach(annotation::warn);
        } catch (InvalidIgnitionException e) {
            owner.annotation(name)
                    .refuse("cannot be used. " + e.getMessage()
                            + ": write ignition as JSON, such as {\"ignition\":{\"version\":\"3.2.0\"}}");
        }
    }

    /** assisted-service drops fields that the version does not have. */
    private static void newerFields(Section annotation, IgnitionJson ignition) {
        if (ignition.root().hasNonNull("kernelArguments")) {
            annotation.warn("has kernelArguments, which Ignition knows from 3.3.0 on and assisted-service drops: write"
                    + " them in kernelArguments of the spec");
        }
        if (ignition.root().path("storage").hasNonNull("luks")
                && ignition.version().compareTo(SpecVersion.NEWER_OVERRIDE) < 0) {
            annotation.warn("has storage.luks, which Ignition knows from 3.2.0 on, so that nothing would be encrypted:"
                    + " write ignition.version 3.2.0");
        }
    }
}
