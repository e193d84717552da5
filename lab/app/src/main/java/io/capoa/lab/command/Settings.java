package io.capoa.lab.command;

import io.capoa.lab.controller.Delays;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Settings of one run of {@code ./lab/up}.
 *
 * @param state folder of the run's files
 * @param selection peers that are real, absent or simulated
 */
record Settings(
        Path root,
        List<Path> files,
        Path state,
        Scale scale,
        Ending ending,
        Delays delays,
        Server server,
        PeerSelection selection) {

    /**
     * How much is created.
     *
     * @param clusters how often the files are applied, each time in a namespace of its own
     * @param workers replicas of every MachineDeployment; empty leaves those of the files
     * @param spareHosts hosts per namespace that no Machine needs
     * @param light whether peers write only what the providers read
     */
    record Scale(int clusters, OptionalInt workers, int spareHosts, boolean light) {}

    /**
     * When the run ends.
     *
     * @param once stop as soon as all clusters are Ready
     * @param inBackground run until {@code lab/down}, without a terminal
     * @param timeLimit from apply until every cluster must be Ready; empty for no limit
     * @param rest to measure before the lab stops; empty for no benchmark
     */
    record Ending(boolean once, boolean inBackground, Optional<Duration> timeLimit, Optional<Rest> rest) {}

    /**
     * A time in which nothing happens.
     *
     * @param after how long after the last cluster is Ready it begins
     */
    record Rest(Duration after, Duration length) {}

    /**
     * The management cluster and the page.
     *
     * @param thirdPartyCrds folder with the publishers' CRDs; empty for the lab's own
     * @param port of the API server; empty for a free one
     * @param webPort of the page; 0 for a free one, empty for no page
     * @param images whether the providers' pods run from their images
     * @param variables of the providers' components
     */
    record Server(
            Optional<Path> thirdPartyCrds,
            OptionalInt port,
            OptionalInt webPort,
            boolean images,
            Map<String, String> variables) {}

    /** One namespace for each time that the files are applied. */
    List<String> namespaces() {
        return scale.clusters() == 1
                ? List.of("demo")
                : IntStream.rangeClosed(1, scale.clusters())
                        .mapToObj("demo-%03d"::formatted)
                        .toList();
    }
}
