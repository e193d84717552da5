package io.capoa.controlplane.machines;

import java.util.Set;

/**
 * Which fields of {@code spec.openshiftAssistedConfigSpec} reach a host only by its installation. The others configure
 * its discovery, or are the cluster's own after the installation, so that a change of them replaces no Machine; it takes
 * effect on Machines that are created later.
 */
public final class ConfigFields {

    private static final Set<String> DISCOVERY_ONLY = Set.of(
            "additionalNTPSources",
            "additionalTrustBundle",
            "discoveryIgnition",
            "kernelArguments",
            "mirrorRegistryRef",
            "osImageVersion",
            "proxy",
            "pullSecretRef",
            "sshAuthorizedKey");

    private ConfigFields() {}

    /** Whether a changed value needs a new installation of the host. */
    public static boolean needsInstallation(String field) {
        return !DISCOVERY_ONLY.contains(field);
    }
}
