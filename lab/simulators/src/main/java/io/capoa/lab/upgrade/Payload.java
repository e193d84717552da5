package io.capoa.lab.upgrade;

/**
 * A release as the cluster-version operator knows it.
 *
 * @param version such as {@code 4.20.3}; empty if only the image is known
 * @param image pull spec; empty if only the version is known
 */
public record Payload(String version, String image) {

    private static final String DIGEST = "@sha256:";

    /** Whether the image is named by its digest, without which no signature can be found. */
    public boolean isByDigest() {
        return image.contains(DIGEST);
    }

    /** The digest in the image; the whole image if it has none. */
    public String digest() {
        return isByDigest() ? image.substring(image.indexOf(DIGEST) + 1) : image;
    }

    @Override
    public String toString() {
        return "version=\"%s\" image=\"%s\"".formatted(version, image);
    }
}
