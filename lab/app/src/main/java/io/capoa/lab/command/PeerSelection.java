package io.capoa.lab.command;

import io.capoa.lab.Peer;
import io.capoa.lab.RealService;
import io.capoa.lab.metal3.Metal3Programs;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.TypeConversionException;

/**
 * Which peers are real, absent or simulated.
 *
 * @param absent peers that the lab does not simulate
 * @param clusterApi whether the lab runs the real Cluster API core
 * @param metal3 folder with Metal3's programs, if the lab runs them
 * @param assistedService a real assisted-service that the user runs
 */
record PeerSelection(
        Set<Peer> absent, boolean clusterApi, Optional<Path> metal3, Optional<RealService> assistedService) {

    /** All peers are simulated. */
    static final PeerSelection SIMULATED = new PeerSelection(Set.of(), false, Optional.empty(), Optional.empty());

    private static final String KNOWN = "--with takes cluster-api, metal3=DIR or assisted-service=URL";

    PeerSelection {
        absent = Set.copyOf(absent);
    }

    /**
     * Parses {@code --with} and {@code --without}.
     *
     * @throws TypeConversionException if a value is invalid; the message names the valid ones
     */
    static PeerSelection of(List<String> with, List<String> without) {
        return of(with, without, Optional.empty());
    }

    /**
     * As the other, with a CA.
     *
     * @param serviceAuthority PEM file with the CA of a real assisted-service
     */
    static PeerSelection of(List<String> with, List<String> without, Optional<Path> serviceAuthority) {
        Set<Peer> absent = EnumSet.noneOf(Peer.class);
        for (String word : without) {
            absent.add(Peer.of(word)
                    .orElseThrow(() -> new TypeConversionException(
                            "--without does not accept \"%s\"; it accepts %s".formatted(word, Peer.words()))));
        }
        boolean clusterApi = false;
        Optional<Path> metal3 = Optional.empty();
        Optional<RealService> service = Optional.empty();
        for (String text : with) {
            int at = text.indexOf('=');
            String word = at < 0 ? text : text.substring(0, at);
            Peer peer = switch (word) {
                case "cluster-api" -> Peer.CLUSTER_API;
                case "metal3" -> Peer.METAL3;
                case "assisted-service" -> Peer.ASSISTED_SERVICE;
                default ->
                    throw new TypeConversionException(
                            "%s, not \"%s\"; other peers can be omitted with --without".formatted(KNOWN, text));
            };
            if (without.contains(word)) {
                throw new TypeConversionException(
                        "--with %s and --without %s contradict each other".formatted(word, word));
            }
            if (peer == Peer.CLUSTER_API) {
                if (at >= 0) {
                    throw new TypeConversionException("--with cluster-api takes no value: its version is pinned");
                }
                clusterApi = true;
            } else if (peer == Peer.ASSISTED_SERVICE) {
                service = Optional.of(new RealService(address(at < 0 ? "" : text.substring(at + 1)), serviceAuthority));
            } else {
                metal3 = Optional.of(programs(at < 0 ? "" : text.substring(at + 1)));
            }
            absent.add(peer);
        }
        if (service.isPresent() && clusterApi) {
            throw new TypeConversionException(
                    "--with assisted-service and --with cluster-api cannot be combined: clusterctl"
                            + " installs the providers with the variables of your environment, see docs/install.md");
        }
        if (service.isEmpty() && serviceAuthority.isPresent()) {
            throw new TypeConversionException("--assisted-service-ca needs --with assisted-service=URL");
        }
        return new PeerSelection(absent, clusterApi, metal3, service);
    }

    private static URI address(String text) {
        try {
            URI address = new URI(text);
            if (Set.of("http", "https").contains(String.valueOf(address.getScheme())) && address.getHost() != null) {
                return address;
            }
        } catch (URISyntaxException e) {
            // Reported below.
        }
        throw new TypeConversionException(
                "--with assisted-service takes the URL of the service, such as http://127.0.0.1:8090, not \"%s\""
                        .formatted(text));
    }

    private static Path programs(String folder) {
        if (folder.isBlank()) {
            throw new TypeConversionException(
                    "--with metal3 takes the folder of the executables: --with metal3=DIR, with %s in it"
                            .formatted(String.join(" and ", Metal3Programs.EXECUTABLES)));
        }
        Path path = Path.of(folder).toAbsolutePath();
        Metal3Programs.missing(path).ifPresent(missing -> {
            throw new TypeConversionException("--with metal3=%s: there is no executable %s".formatted(folder, missing));
        });
        return path;
    }

    /** Peers that the user has to run. */
    List<Peer> vacant() {
        return absent.stream()
                .filter(peer -> !(peer == Peer.CLUSTER_API && clusterApi))
                .filter(peer -> !(peer == Peer.METAL3 && metal3.isPresent()))
                .filter(peer -> !(peer == Peer.ASSISTED_SERVICE && assistedService.isPresent()))
                .sorted()
                .toList();
    }
}
