package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.identity.Digest;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Names of a control plane's Machines, which their infrastructure machines and configs share.
 *
 * <p>They follow from the control plane's UID and a number alone: a decision from a stale cache, or after a crash, arrives
 * at the same name and finds the object there. Machines of the installation use the smallest numbers that are free.
 * Machines that are made later have numbers of their own, of which each is used once: the Node of a predecessor, or a
 * delete that arrives late, cannot hit a successor of the same name.
 */
final class MachineName {

    /** The name becomes a host name and a label value. */
    private static final int MAX_LENGTH = 63;

    private static final int SUFFIX_LENGTH = 5;

    /** So many are looked for beyond what is written down; more than one is made only by restoring a backup. */
    private static final int LOOKED_AHEAD = 16;

    private MachineName() {}

    /** Of a Machine that is made before the installation is complete. */
    static String of(ControlPlaneIdentity identity, int n) {
        return named(identity, identity.uid() + "/" + n);
    }

    /** Of a Machine that is made after the installation. */
    static String later(ControlPlaneIdentity identity, int n) {
        return named(identity, identity.uid() + "/later/" + n);
    }

    /** How many later names are used up, by what is written down and what exists. */
    static int laterUsed(ControlPlaneIdentity identity, Set<String> existing) {
        int written = written(identity);
        int used = written;
        for (int n = written; n < written + LOOKED_AHEAD; n++) {
            if (existing.contains(later(identity, n))) {
                used = n + 1;
            }
        }
        return used;
    }

    /** Whether it is a later name that is not written down as used up. */
    static boolean isUnusedLater(ControlPlaneIdentity identity, String name) {
        int written = written(identity);
        return IntStream.range(written, written + LOOKED_AHEAD)
                .anyMatch(n -> later(identity, n).equals(name));
    }

    /** How many later names are written down as used up. */
    static int written(ControlPlaneIdentity identity) {
        Map<String, String> annotations = identity.controlPlane().getMetadata().getAnnotations();
        String value = annotations == null ? null : annotations.get(Annotations.LATER_NAMES_USED);
        try {
            return value == null ? 0 : Math.max(0, Integer.parseInt(value));
        } catch (NumberFormatException notANumber) {
            return 0;
        }
    }

    private static String named(ControlPlaneIdentity identity, String number) {
        String name = identity.name();
        String start = name.substring(0, Math.min(name.length(), MAX_LENGTH - SUFFIX_LENGTH - 1));
        return start + "-" + Digest.of(number, SUFFIX_LENGTH);
    }
}
