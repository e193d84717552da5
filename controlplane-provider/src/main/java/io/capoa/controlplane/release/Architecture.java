package io.capoa.controlplane.release;

import java.util.Collection;
import java.util.List;

/** CPU architectures as release image tags name them. */
public final class Architecture {

    /** The release image for hosts of any architecture. */
    public static final String MULTI = "multi";

    private Architecture() {}

    /**
     * The architecture of the release image for hosts of these architectures: theirs if they agree, {@code multi} if
     * there are none, if one is not said, or if they differ.
     */
    public static String of(Collection<String> hosts) {
        List<String> distinct =
                hosts.stream().map(Architecture::tagSuffix).distinct().toList();
        return distinct.size() == 1 ? distinct.getFirst() : MULTI;
    }

    /** The word that release image tags use for an architecture, whichever of its names is given; empty is any. */
    public static String tagSuffix(String architecture) {
        return switch (architecture) {
            case "" -> MULTI;
            case "arm64" -> "aarch64";
            case "amd64" -> "x86_64";
            default -> architecture;
        };
    }

    /** The word that image indexes use for an architecture (the Go language's). */
    public static String platform(String architecture) {
        return switch (architecture) {
            case "aarch64" -> "arm64";
            case "x86_64" -> "amd64";
            default -> architecture;
        };
    }
}
