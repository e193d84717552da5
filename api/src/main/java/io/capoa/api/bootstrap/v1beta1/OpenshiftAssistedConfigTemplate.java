package io.capoa.api.bootstrap.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.capoa.api.TemplateMetadata;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.Labels;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** What a MachineDeployment or MachineSet makes its OpenshiftAssistedConfigs from. */
@Group(OpenshiftAssistedConfig.GROUP)
@Version("v1beta1")
@Kind("OpenshiftAssistedConfigTemplate")
@Plural("openshiftassistedconfigtemplates")
@Singular("openshiftassistedconfigtemplate")
@Categories("cluster-api")
@Labels("cluster.x-k8s.io/v1beta2=v1beta1")
@JsonClassDescription(
        "What a MachineDeployment or MachineSet makes its OpenshiftAssistedConfigs from. A change reaches the "
                + "configs made afterwards, never those that exist.")
@AdditionalPrinterColumn(
        name = "Cluster",
        jsonPath = ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']",
        type = AdditionalPrinterColumn.Type.STRING,
        getDescription = "Cluster the template belongs to")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE,
        getDescription = "Time since creation")
public class OpenshiftAssistedConfigTemplate extends CustomResource<OpenshiftAssistedConfigTemplate.Spec, Void>
        implements Namespaced {

    @Override
    protected @Nullable Spec initSpec() {
        return null;
    }

    @ApiType
    @JsonClassDescription("What the configs are made from.")
    public record Spec(
            @JsonPropertyDescription("Metadata and spec of the configs.") @Required
            Template template) {}

    @ApiType
    @JsonClassDescription("Metadata and spec of the configs.")
    public record Template(
            @JsonPropertyDescription("Labels and annotations of the configs.") @Size(min = 1) @Nullable
            TemplateMetadata metadata,

            @JsonPropertyDescription("Discovery, boot and join settings, the same for every host.") @Nullable
            OpenshiftAssistedConfigSpec spec) {}
}
