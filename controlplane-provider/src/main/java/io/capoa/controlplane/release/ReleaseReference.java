package io.capoa.controlplane.release;

import org.jspecify.annotations.Nullable;

/** Names the release image of a version. */
public final class ReleaseReference {

    /** Where OpenShift releases are published. */
    public static final String OPENSHIFT_REPOSITORY = "quay.io/openshift-release-dev/ocp-release";

    /** Where OKD releases are published. */
    public static final String OKD_REPOSITORY = "quay.io/okd/scos-release";

    private ReleaseReference() {}

    /**
     * The image reference by tag. OpenShift tags end in the architecture, OKD tags never do, wherever they are kept.
     *
     * @param distributionVersion the user's version, any text
     * @param repositoryOverride value of the annotation {@code cluster.x-k8s.io/release-image-repository-override}
     * @param architecture any name of it; empty stands for {@code multi}
     */
    public static String image(String distributionVersion, @Nullable String repositoryOverride, String architecture) {
        boolean okd = DistributionVersion.isOkd(distributionVersion);
        String repository = repository(repositoryOverride, okd);
        String tag = okd ? distributionVersion : distributionVersion + "-" + Architecture.tagSuffix(architecture);
        return repository + ":" + tag;
    }

    private static String repository(@Nullable String override, boolean okd) {
        if (override != null && !override.isBlank()) {
            return override.strip();
        }
        return okd ? OKD_REPOSITORY : OPENSHIFT_REPOSITORY;
    }
}
