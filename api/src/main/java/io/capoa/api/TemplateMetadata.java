package io.capoa.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Labels and annotations for the objects that are made from a template. */
@ApiType
@JsonClassDescription("Labels and annotations for the objects that are made from a template.")
public record TemplateMetadata(
        @JsonPropertyDescription("Labels that every object made from the template gets. "
                + "Those that Cluster API sets itself, such as cluster.x-k8s.io/cluster-name, win.")
        @Nullable
        Map<String, String> labels,

        @JsonPropertyDescription("Annotations that every object made from the template gets.") @Nullable
        Map<String, String> annotations) {}
