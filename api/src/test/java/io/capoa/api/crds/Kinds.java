package io.capoa.api.crds;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigTemplate;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneTemplate;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.lang.reflect.ParameterizedType;
import java.util.List;

/** Every kind in every version that has a generated CRD. */
final class Kinds {

    static final List<Class<? extends HasMetadata>> ALL = List.of(
            OpenshiftAssistedConfig.class,
            OpenshiftAssistedConfigTemplate.class,
            OpenshiftAssistedControlPlane.class,
            OpenshiftAssistedControlPlaneTemplate.class);

    private Kinds() {}

    /** The types of {@code spec} and {@code status}; a kind without status has {@code Void}. */
    static List<Class<?>> specAndStatus(Class<? extends HasMetadata> kind) {
        var customResource = (ParameterizedType) kind.getGenericSuperclass();
        return List.of((Class<?>) customResource.getActualTypeArguments()[0], (Class<?>)
                customResource.getActualTypeArguments()[1]);
    }
}
