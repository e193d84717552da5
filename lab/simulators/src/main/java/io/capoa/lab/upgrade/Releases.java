package io.capoa.lab.upgrade;

import java.util.Optional;

/** The release images that a cluster can pull. */
public interface Releases {

    /** The version in an image; empty if the image cannot be pulled. */
    Optional<String> versionIn(String image);

    /** Whether a signature of the release is found. */
    boolean isSigned(Payload payload);
}
