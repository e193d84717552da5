package io.capoa.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Labels and annotations for the objects that are made from a template. */
@ApiType
@JsonClassDescription("Labels and annotations for the objects that are made from a template.")
public record TemplateMetadata(
        @JsonPropertyDescription("Labels that every object made from the template gets. "
                + "Those that Cluster API sets itself, such as cluster.x-k8s.io/cluster-name, win.")
        @Size(max = 64)
        @Nullable
        Map<String, @Size(max = 63) @Pattern(Patterns.LABEL_VALUE) String> labels,

        @JsonPropertyDescription("Annotations that every object made from the template gets.") @Size(max = 64) @Nullable
        Map<String, @Size(max = 131072) String> annotations) {}
