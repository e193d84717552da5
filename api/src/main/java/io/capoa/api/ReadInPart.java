package io.capoa.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An object of which the manager may not hold everything that is stored; what is not held reads as absent. */
public interface ReadInPart {

    @Nullable
    Object getSpec();

    /** What is not held and why, beginning with its path, such as {@code spec.arbiter.replicas has …}; empty for a whole one. */
    List<String> unreadable();

    /** Notes what is not held and why. */
    void readWithout(List<String> reasons);
}
