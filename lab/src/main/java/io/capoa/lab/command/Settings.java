package io.capoa.lab.command;

import io.capoa.lab.actors.Delays;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What a run of the lab shall do.
 *
 * @param timeLimit from apply until every cluster must be Ready; empty for no limit
 * @param clusters how many times the files are applied
 * @param cast who plays the neighbours
 * @param workers replicas of every MachineDeployment; empty as the files say
 */
record Settings(
        Path root,
        List<Path> files,
        Path state,
        boolean once,
        Optional<Duration> timeLimit,
        int clusters,
        OptionalInt workers,
        int spareHosts,
        Delays delays,
        Optional<Path> thirdPartyCrds,
        OptionalInt port,
        Cast cast) {

    /** One namespace for each time that the files are applied. */
    List<String> namespaces() {
        return clusters == 1
                ? List.of("demo")
                : IntStream.rangeClosed(1, clusters)
                        .mapToObj("demo-%03d"::formatted)
                        .toList();
    }
}
