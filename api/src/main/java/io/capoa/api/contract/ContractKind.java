package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A kind of another project, without a typed schema: all fields beside the metadata are maps and lists, so that none is
 * lost. Subclasses say group, version and kind by annotation.
 */
public abstract class ContractKind extends GenericKubernetesResource {

    protected ContractKind() {
        setApiVersion(HasMetadata.getApiVersion(getClass()));
        setKind(HasMetadata.getKind(getClass()));
    }
}
