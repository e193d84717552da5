package io.capoa.lint.manifest;

import io.capoa.api.Digest;
import io.capoa.api.conditions.PlannedFinding.Severity;

/**
 * A defect of a manifest.
 *
 * @param object kind and name, or the file that cannot be read
 * @param path field of the object such as {@code spec.template.spec.tolerations}, or {@code line 7} of a file
 * @param what is wrong
 * @param why it matters
 * @param remedy what to write instead
 */
public record Finding(Severity severity, String object, String path, String what, String why, String remedy) {

    public boolean isBlocking() {
        return severity == Severity.BLOCKING;
    }

    /** Names the finding, until its object, path or text changes; valid in the name of an annotation. */
    public String id() {
        return Digest.of(object + "\n" + path + "\n" + what, 8);
    }

    /** One sentence for a condition or an Event. */
    public String sentence() {
        return "%s, %s: %s, %s: %s".formatted(object, path, what, why, remedy);
    }
}
