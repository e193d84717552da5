package io.capoa.controlplane.upgrade;

/**
 * A release as ClusterVersion names it.
 *
 * @param version empty if it is not known
 * @param image pull specification, by digest; empty if it is not known
 */
public record ReleaseName(String version, String image) {

    static final ReleaseName NONE = new ReleaseName("", "");
}
