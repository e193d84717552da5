package io.capoa.controlplane.upgrade;

/**
 * A release as ClusterVersion names it.
 *
 * @param version empty if it is not known
 * @param image pull specification, by digest; empty if it is not known
 */
public record ReleaseName(String version, String image) {

    static final ReleaseName NONE = new ReleaseName("", "");

    /** Whether both are the same release; only one without version is compared by its image. */
    boolean isSame(ReleaseName other) {
        return version.isEmpty() ? image.equals(other.image) : version.equals(other.version);
    }

    /** The version, or the image if the version is not known. */
    String shown() {
        return version.isEmpty() ? image : version;
    }
}
