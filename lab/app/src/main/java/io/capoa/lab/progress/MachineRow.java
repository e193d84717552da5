package io.capoa.lab.progress;

/**
 * One Machine as a line of the table.
 *
 * @param host name of its BareMetalHost, empty before one is chosen
 * @param step current step of its host, as reported by assisted-service if available
 * @param percent of the host's installation, -1 before it starts
 */
public record MachineRow(String name, boolean controlPlane, String phase, String host, String step, int percent) {}
