package io.capoa.lab.workload;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The releases in a registry: from an image to its versions, and from a version to its image. */
public final class ReleaseCatalogue {

    private static final Pattern ARCHITECTURE = Pattern.compile(".*-(x86_64|aarch64|ppc64le|s390x|multi)");
    private static final Pattern IMAGE =
            Pattern.compile("(?<name>(?:[^/@]+/)?(?<repository>[^@]*?))(?:@(?<digest>sha256:[^@]+)|:(?<tag>[^/:@]+))");

    private final ReleaseImages images;

    public ReleaseCatalogue(ReleaseImages images) {
        this.images = images;
    }

    /** The release in an image; that of {@link ReleaseVersions#fromTag} if the registry does not know the image. */
    public ReleaseVersions of(String image) {
        return in(image).orElseGet(() -> ReleaseVersions.fromTag(image));
    }

    /** The release in an image; empty if it cannot be pulled. */
    Optional<ReleaseVersions> in(String image) {
        Matcher m = IMAGE.matcher(image);
        if (!m.matches()) {
            return Optional.empty();
        }
        return tag(m).map(tag -> {
            ReleaseVersions versions = ReleaseVersions.fromTag(m.group("name") + ":" + tag);
            return new ReleaseVersions(image, versions.version(), versions.kubernetes());
        });
    }

    /** The image by digest; unchanged if it is so already, or does not exist. */
    String byDigest(String image) {
        Matcher m = IMAGE.matcher(image);
        return m.matches() && m.group("tag") != null
                ? images.digest(m.group("repository"), m.group("tag"))
                        .map(digest -> m.group("name") + "@" + digest)
                        .orElse(image)
                : image;
    }

    /** Image by digest of another version, from the same repository and for the same architecture. */
    Optional<String> image(String version, String like) {
        Matcher m = IMAGE.matcher(like);
        if (!m.matches()) {
            return Optional.empty();
        }
        String suffix = tag(m).map(ARCHITECTURE::matcher)
                .filter(Matcher::matches)
                .map(architecture -> "-" + architecture.group(1))
                .orElse("");
        return images.digest(m.group("repository"), version + suffix).map(digest -> m.group("name") + "@" + digest);
    }

    private Optional<String> tag(Matcher image) {
        String digest = image.group("digest");
        if (digest != null) {
            return images.tag(digest);
        }
        String tag = image.group("tag");
        return images.digest(image.group("repository"), tag).map(exists -> tag);
    }
}
