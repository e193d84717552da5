package io.capoa.api.controlplane.v1beta1;

import io.capoa.api.ApiType;
import io.capoa.api.TemplateMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
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
public class OpenshiftAssistedControlPlaneTemplate
        extends CustomResource<OpenshiftAssistedControlPlaneTemplate.Spec, Void> implements Namespaced {

    @Override
    protected @Nullable Spec initSpec() {
        return null;
    }

    @ApiType
    public record Spec(Template template) {}

    @ApiType
    public record Template(
            @Nullable TemplateMetadata metadata, @Nullable OpenshiftAssistedControlPlaneTemplateSpec spec) {}
}
