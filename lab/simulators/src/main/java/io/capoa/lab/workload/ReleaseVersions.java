package io.capoa.lab.workload;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Versions in a release image.
 *
 * @param image pull spec
 * @param version OpenShift's, such as {@code 4.20.0}
 * @param kubernetes the kubelet's, such as {@code v1.33.5}
 */
public record ReleaseVersions(String image, String version, String kubernetes) {

    private static final Pattern TAG = Pattern.compile(
            ":(4\\.(\\d+)\\.[0-9A-Za-z.]+(?:-(?:ec|rc|okd-scos|okd-scos\\.ec)\\.\\d+)?)(?:-[a-z0-9_]+)?$");
    /** OpenShift 4.n contains Kubernetes 1.(n+13). */
    private static final int MINOR_DISTANCE = 13;

    /** Resolves the versions of a release image, as the service does by pulling it. */
    @FunctionalInterface
    public interface Lookup {
        ReleaseVersions of(String image);
    }

    /** The release in the image's tag; 4.20.0 for a digest. */
    public static ReleaseVersions fromTag(String image) {
        Matcher tag = TAG.matcher(image);
        if (!tag.find()) {
            return new ReleaseVersions(image, "4.20.0", "v1.33.5");
        }
        return new ReleaseVersions(image, tag.group(1), kubernetes(Integer.parseInt(tag.group(2))));
    }

    /** Major and minor number of the release, such as {@code 4.20}. */
    public String minor() {
        return String.join(".", List.of(version.split("\\.", -1)).subList(0, 2));
    }

    /** Kubernetes in OpenShift 4.n. */
    static String kubernetes(int minor) {
        return "v1." + (minor + MINOR_DISTANCE) + ".5";
    }
}
