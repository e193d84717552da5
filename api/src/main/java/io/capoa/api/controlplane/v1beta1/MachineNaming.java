package io.capoa.api.controlplane.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** How the Machines of a control plane are named. */
@ApiType
@JsonClassDescription("How the Machines of a control plane are named.")
public record MachineNaming(
        @JsonPropertyDescription("Name of a Machine, its infrastructure machine and its config. Placeholders: "
                + "{{ .cluster.name }}, {{ .controlPlane.name }} and, at the end, {{ .random }}, which gives five "
                + "characters. What is longer than 63 characters is cut before them. A change applies to Machines "
                + "that are created later. Example: {{ .cluster.name }}-cp-{{ .random }}.")
        @Required
        @Size(min = 1, max = 256)
        @ValidationRule(
                value = "self.matches('^([a-z0-9-]|[{][{] ?[.](cluster|controlPlane)[.]name ?[}][}])+"
                        + "-[{][{] ?[.]random ?[}][}]$') && !self.startsWith('-')",
                message = "spec.machineNaming.template takes lower-case letters, digits, hyphens and the placeholders "
                        + "{{ .cluster.name }} and {{ .controlPlane.name }}, and ends in -{{ .random }}: write "
                        + "{{ .cluster.name }}-cp-{{ .random }}, for example")
        String template) {}
