package io.capoa.lab.cluster;

import java.nio.file.Path;
import java.util.Optional;

/** A source of programs. */
interface BinarySource {

    /**
     * The program's file; empty if this source does not have it.
     *
     * @throws ClusterException if getting it failed
     */
    Optional<Path> get(Tool tool);
}
