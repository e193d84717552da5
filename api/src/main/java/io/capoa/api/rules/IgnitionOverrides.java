package io.capoa.api.rules;

import io.capoa.api.Annotations;
import io.capoa.api.rules.node.IgnitionCheck;
import io.capoa.api.rules.node.IgnitionJson;
import io.capoa.api.rules.node.InvalidIgnitionException;
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
        check(owner, annotations, Annotations.DISCOVERY_IGNITION_OVERRIDE, false);
        check(owner, annotations, Annotations.IGNITION_OVERRIDE, true);
    }

    private static void check(
            Section owner, @Nullable Map<String, String> annotations, String name, boolean installed) {
        String value = Section.given(annotations, name);
        if (value == null) {
            return;
        }
        try {
            IgnitionJson ignition = IgnitionJson.parse(value, "The value");
            if (installed) {
                var unused = ignition.requireInstallTimeVersion("The value");
            }
            IgnitionCheck found = IgnitionCheck.of(ignition);
            Section annotation = owner.annotation(name);
            found.mistakes().forEach(mistake -> annotation.refuse("cannot be used: " + mistake));
            found.doubts().forEach(annotation::warn);
        } catch (InvalidIgnitionException e) {
            owner.annotation(name)
                    .refuse("cannot be used. " + e.getMessage()
                            + ": write ignition as JSON, such as {\"ignition\":{\"version\":\"3.1.0\"}}");
        }
    }
}
