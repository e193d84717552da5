package io.capoa.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Labels and annotations for the objects that are made from a template. */
@ApiType
public record TemplateMetadata(
        @Nullable Map<String, String> labels, @Nullable Map<String, String> annotations) {}
