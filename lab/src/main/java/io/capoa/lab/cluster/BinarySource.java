package io.capoa.lab.cluster;

import java.nio.file.Path;
import java.util.Optional;

/** One place that programs may come from. */
interface BinarySource {

    /**
     * The program's file; empty when this place does not have it.
     *
     * @throws ClusterException when it should have it and getting it failed
     */
    Optional<Path> get(Tool tool);
}
