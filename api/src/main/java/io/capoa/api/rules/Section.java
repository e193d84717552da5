package io.capoa.api.rules;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of an object that is validated. Fields are named from the object's root. A contradiction between two fields is
 * only a warning in a template, because a patch may replace one of them.
 *
 * @param path of the part, such as {@code spec.template.spec}; empty for the object itself
 */
public record Section(String path, boolean template, Findings findings) {

    public Section in(String field) {
        return new Section(path(field), template, findings);
    }

    /** An entry of a list. */
    public Section at(String field, int index) {
        return new Section(path(field) + "[" + index + "]", template, findings);
    }

    /** An annotation; {@code metadata.annotations[a]}. */
    public Section annotation(String name) {
        return new Section(path("metadata.annotations[" + name + "]"), template, findings);
    }

    /** Rejects the value. */
    public void refuse(String sentence) {
        findings.refuse(path, sentence);
    }

    /** Rejects the combination of the value with another one. */
    public void refuseTogether(String sentence) {
        if (template) {
            findings.warn(path, sentence);
        } else {
            findings.refuse(path, sentence);
        }
    }

    public void warn(String sentence) {
        findings.warn(path, sentence);
    }

    /** The value unless it is absent or blank. */
    public static @Nullable String given(@Nullable String value) {
        return value == null || value.isBlank() ? null : value;
    }

    /** An annotation's value unless it is absent or blank. */
    public static @Nullable String given(@Nullable Map<String, String> annotations, String name) {
        return annotations == null ? null : given(annotations.get(name));
    }

    private String path(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }
}
