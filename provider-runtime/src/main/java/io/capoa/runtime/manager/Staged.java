package io.capoa.runtime.manager;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * A reconciler whose objects go through stages. When more objects wait than can be reconciled at once, those of a later
 * stage come first, so that what was begun is finished before more is begun.
 */
public interface Staged<P extends HasMetadata> {

    /** The last stage. */
    int LAST = 2;

    /**
     * How far the object is: from 0 for one that is new, or that is complete, to {@link #LAST}.
     *
     * @param object from the cache; not to be changed
     */
    int stage(P object);
}
