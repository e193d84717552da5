package io.capoa.controlplane.plan;

import io.capoa.controlplane.release.DistributionVersion;

/**
 * What assisted-service requires of a host by its role, unless its administrator configures other values (assisted-service,
 * {@code internal/controller/controllers/default_controller_hw_requirements.json}, the default of {@code
 * HW_VALIDATOR_REQUIREMENTS}).
 */
enum HostRole {
    CONTROL_PLANE("a control plane host", 4, 16_384, 100),
    SINGLE_NODE("a single node", 8, 16_384, 100),
    ARBITER("an arbiter", 2, 8_192, 50),
    WORKER("a worker", 2, 8_192, 100);

    /** Memory that a host may lack ({@code HostMemoryRequirementToleranceMiB} of {@code internal/host/validator.go}). */
    static final int TOLERATED_MEBIBYTES = 100;

    /** From this minor version on a single node needs fewer CPUs. */
    private static final DistributionVersion SMALLER_SINGLE_NODE = DistributionVersion.ofMinor(4, 22);

    private static final int SMALLER_SINGLE_NODE_CPUS = 4;

    private final String described;
    private final int cpus;
    private final int mebibytes;
    private final int diskGigabytes;

    HostRole(String described, int cpus, int mebibytes, int diskGigabytes) {
        this.described = described;
        this.cpus = cpus;
        this.mebibytes = mebibytes;
        this.diskGigabytes = diskGigabytes;
    }

    /** With its article, for people. */
    String described() {
        return described;
    }

    /** CPUs as the operating system counts them. */
    int cpus(String release) {
        return this == SINGLE_NODE
                        && DistributionVersion.parse(release)
                                .filter(version -> version.major() > SMALLER_SINGLE_NODE.major()
                                        || (version.major() == SMALLER_SINGLE_NODE.major()
                                                && version.minor() >= SMALLER_SINGLE_NODE.minor()))
                                .isPresent()
                ? SMALLER_SINGLE_NODE_CPUS
                : cpus;
    }

    /** Memory in MiB. */
    int mebibytes() {
        return mebibytes;
    }

    /** Size of the installation disk in units of 10^9 bytes. */
    int diskGigabytes() {
        return diskGigabytes;
    }
}
