package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.Digest;
import io.capoa.api.controlplane.v1beta1.MachineNaming;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Names of a control plane's Machines, shared by their infrastructure machines and configs.
 *
 * <p>A name is derived from the control plane's UID and a number, so that a decision from a stale cache or after a
 * crash computes the same name and finds the existing object. Machines of the installation use the smallest free
 * numbers; when a failed one is retried they begin elsewhere, because Cluster API may delete the config of a failed
 * Machine once more after that Machine is gone, by its name. Machines created later use each number once: a stale Node or
 * a late delete cannot hit a successor of the same name.
 */
final class MachineName {

    /** Machine names become host names and label values. */
    private static final int MAX_LENGTH = 63;

    private static final int SUFFIX_LENGTH = 5;

    private static final String FORMAT_WITHOUT_TEMPLATE = "{{.controlPlane.name}}-{{.random}}";

    /** Number of later names to search beyond the recorded one; a gap of more than one exists only after a restore. */
    private static final int LOOKED_AHEAD = 16;

    /** Into how many ranges of numbers the values of retries are distributed. */
    private static final int RETRIES = 31;

    private MachineName() {}

    /** Name of a Machine that is created before the installation is complete. */
    static String of(ControlPlaneIdentity identity, int n) {
        return numbered(identity, begin(identity) + n);
    }

    private static String numbered(ControlPlaneIdentity identity, int n) {
        return named(identity, identity.uid() + "/" + n);
    }

    /** The first number of an installation, by the user's request to retry it. */
    private static int begin(ControlPlaneIdentity identity) {
        String retry = Annotations.value(identity.controlPlane(), Annotations.RETRY_INSTALL);
        return retry == null ? 0 : LOOKED_AHEAD * (1 + Math.floorMod(retry.hashCode(), RETRIES));
    }

    /** Name of a Machine that is created after the installation. */
    static String later(ControlPlaneIdentity identity, int n) {
        return named(identity, identity.uid() + "/later/" + n);
    }

    /** Number of later names in use, by the record and by the existing Machines. */
    static int laterUsed(ControlPlaneIdentity identity, Set<String> existing) {
        int recorded = recorded(identity);
        int used = recorded;
        for (int n = recorded; n < recorded + LOOKED_AHEAD; n++) {
            if (isTaken(later(identity, n), existing)) {
                used = n + 1;
            }
        }
        return used;
    }

    /** Whether it is a later name that is not recorded yet. */
    static boolean isUnusedLater(ControlPlaneIdentity identity, String name) {
        int recorded = recorded(identity);
        return IntStream.range(recorded, recorded + LOOKED_AHEAD).anyMatch(n -> isSame(later(identity, n), name));
    }

    /** Whether one of the names has the same number, perhaps by another template. */
    static boolean isTaken(String name, Set<String> names) {
        return names.stream().anyMatch(other -> isSame(name, other));
    }

    /** Whether it is a name of this control plane: of the installation, or a later one. */
    static boolean isOwn(ControlPlaneIdentity identity, String name) {
        return IntStream.range(0, LOOKED_AHEAD * (1 + RETRIES)).anyMatch(n -> isSame(numbered(identity, n), name))
                || IntStream.range(0, recorded(identity) + LOOKED_AHEAD)
                        .anyMatch(n -> isSame(later(identity, n), name));
    }

    /** Number of later names recorded as used. */
    static int recorded(ControlPlaneIdentity identity) {
        String value = Annotations.value(identity.controlPlane(), Annotations.LATER_NAMES_USED);
        try {
            return value == null ? 0 : Math.max(0, Integer.parseInt(value));
        } catch (NumberFormatException notANumber) {
            return 0;
        }
    }

    /** The end of a name tells its number; the rest may come from another template. */
    private static boolean isSame(String name, String other) {
        return end(name).equals(end(other));
    }

    private static String end(String name) {
        return name.substring(name.lastIndexOf('-') + 1);
    }

    private static String named(ControlPlaneIdentity identity, String number) {
        MachineNaming naming = identity.controlPlane().getSpec().machineNaming();
        String start = (naming == null ? FORMAT_WITHOUT_TEMPLATE : naming.template())
                .replaceFirst("-\\{\\{ ?\\.random ?}}$", "")
                .replaceAll("\\{\\{ ?\\.controlPlane\\.name ?}}", identity.name())
                .replaceAll("\\{\\{ ?\\.cluster\\.name ?}}", identity.clusterName());
        return start.substring(0, Math.min(start.length(), MAX_LENGTH - SUFFIX_LENGTH - 1)) + "-"
                + Digest.of(number, SUFFIX_LENGTH);
    }
}
