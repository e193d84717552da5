package io.capoa.api.bootstrap.v1beta1;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** How one bare-metal host boots, is discovered and joins; one per Machine. */
@Group(OpenshiftAssistedConfig.GROUP)
@Version("v1beta1")
@Kind("OpenshiftAssistedConfig")
@Plural("openshiftassistedconfigs")
@Singular("openshiftassistedconfig")
@ShortNames({"oac", "oacs"})
public class OpenshiftAssistedConfig extends CustomResource<OpenshiftAssistedConfigSpec, OpenshiftAssistedConfigStatus>
        implements Namespaced {

    public static final String GROUP = "bootstrap.cluster.x-k8s.io";

    @Override
    protected @Nullable OpenshiftAssistedConfigSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable OpenshiftAssistedConfigStatus initStatus() {
        return null;
    }
}
