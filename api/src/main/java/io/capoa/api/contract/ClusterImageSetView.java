package io.capoa.api.contract;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Read view of a ClusterImageSet. */
public record ClusterImageSetView(ClusterImageSet object) implements ObjectView {

    /** The view; an absent ClusterImageSet reads as an empty one. */
    public static ClusterImageSetView of(@Nullable ClusterImageSet imageSet) {
        return new ClusterImageSetView(Objects.requireNonNullElseGet(imageSet, ClusterImageSet::new));
    }

    /** Image reference by tag or digest. */
    public @Nullable String releaseImage() {
        return Fields.string(object, "spec", "releaseImage");
    }
}
