package io.capoa.lab.progress;

/**
 * One Machine as a line of the table.
 *
 * @param host name of its BareMetalHost, empty while none is chosen
 * @param step what its host does at the moment, in assisted-service's own words where there are some
 * @param percent of the host's installation, -1 while there is none
 */
public record MachineRow(String name, boolean controlPlane, String phase, String host, String step, int percent) {}
