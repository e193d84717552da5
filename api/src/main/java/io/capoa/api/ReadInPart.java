package io.capoa.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An object that may have been stored with values that its fields cannot hold; they are read as absent. */
public interface ReadInPart {

    @Nullable
    Object getSpec();

    /** The paths of the values that were not read, such as {@code spec.arbiter.replicas}; empty for a whole object. */
    List<String> unreadable();

    /** Notes the paths of values that were not read. */
    void readWithout(List<String> paths);
}
