package io.capoa.bootstrap.infrastructure;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Metal3Machine;

/** Fixture: Metal3's objects as the caches keep them. */
public final class CachedMetal3 {

    private CachedMetal3() {}

    /** Prunes an object of a kind of Metal3; returns its argument. */
    public static <T> T pruned(T object) {
        switch (object) {
            case Metal3Machine machine -> Metal3Provider.image(machine);
            case BareMetalHost host -> Metal3Provider.identityAndPower(host);
            default -> {}
        }
        return object;
    }
}
