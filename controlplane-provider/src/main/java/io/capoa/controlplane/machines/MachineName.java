package io.capoa.controlplane.machines;

import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.identity.Digest;

/**
 * Name of the n-th Machine of a control plane, shared by its infrastructure machine and config.
 *
 * <p>It follows from the control plane's UID and n alone: whoever decides from a stale cache, or anew after a crash,
 * comes to the same name and finds the object there.
 */
final class MachineName {

    /** The name becomes a host name and a label value. */
    private static final int MAX_LENGTH = 63;

    private static final int SUFFIX_LENGTH = 5;

    private MachineName() {}

    static String of(ControlPlaneIdentity identity, int n) {
        String name = identity.name();
        String start = name.substring(0, Math.min(name.length(), MAX_LENGTH - SUFFIX_LENGTH - 1));
        return start + "-" + Digest.of(identity.uid() + "/" + n, SUFFIX_LENGTH);
    }
}
