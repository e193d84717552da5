package io.capoa.controlplane.machines;

/** Phase of the installation. */
public enum Stage {
    /** Nothing is installed: Machines can be created and deleted freely. */
    BEFORE,
    DURING,
    AFTER
}
