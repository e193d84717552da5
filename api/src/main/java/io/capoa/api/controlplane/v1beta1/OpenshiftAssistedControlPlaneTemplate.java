package io.capoa.api.controlplane.v1beta1;

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

/** What a ClusterClass makes control planes from. */
@Group(OpenshiftAssistedControlPlane.GROUP)
@Version("v1beta1")
@Kind("OpenshiftAssistedControlPlaneTemplate")
@Plural("openshiftassistedcontrolplanetemplates")
@Singular("openshiftassistedcontrolplanetemplate")
@Categories("cluster-api")
@Labels("cluster.x-k8s.io/v1beta2=v1beta1")
@JsonClassDescription("Template of the OpenshiftAssistedControlPlane of Clusters of a ClusterClass.")
@AdditionalPrinterColumn(
        name = "ClusterClass",
        jsonPath = ".metadata.ownerReferences[?(@.kind==\"ClusterClass\")].name",
        type = AdditionalPrinterColumn.Type.STRING,
        getDescription = "ClusterClass the template belongs to")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE,
        getDescription = "Time since creation")
public class OpenshiftAssistedControlPlaneTemplate
        extends CustomResource<OpenshiftAssistedControlPlaneTemplate.Spec, Void> implements Namespaced {

    @Override
    protected @Nullable Spec initSpec() {
        return null;
    }

    @ApiType
    @JsonClassDescription("Template of the control planes.")
    public record Spec(
            @JsonPropertyDescription("Metadata and spec of the control planes.") @Required
            Template template) {}

    @ApiType
    @JsonClassDescription("Metadata and spec of the control planes.")
    public record Template(
            @JsonPropertyDescription("Labels and annotations of the control planes.") @Size(min = 1) @Nullable
            TemplateMetadata metadata,

            @JsonPropertyDescription("Spec of the control planes, without the fields that the Cluster's topology sets: "
                    + "version, replicas and the infrastructure reference.")
            @Nullable
            OpenshiftAssistedControlPlaneTemplateSpec spec) {}
}
