package io.capoa.lab.upgrade;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A simulated update service. Each minor release has patches 0 to 9; an update leads to a later patch, or to the next
 * minor release if the channel is of that one.
 */
public final class UpdateGraph {

    private static final int LAST_PATCH = 9;
    private static final String DEFAULT_UPSTREAM = "https://api.openshift.com/api/upgrades_info/v1/graph";
    private static final Pattern CHANNEL = Pattern.compile("(?:stable|fast|candidate|eus)-(\\d{1,4}\\.\\d{1,4})");
    private static final Pattern OKD_CHANNEL = Pattern.compile("(?:stable|next)-scos-4");
    private static final Pattern OKD_BUILD = Pattern.compile("okd-scos\\.(\\d{1,6})");

    private final boolean reachable;
    private final Map<String, String> risks;
    private final Function<String, Optional<String>> images;

    /**
     * Creates the graph as seen by one cluster.
     *
     * @param reachable whether the cluster reaches the update service
     * @param risks name of the risk by version
     * @param images image of a version; empty if the release does not exist
     */
    public UpdateGraph(boolean reachable, Map<String, String> risks, Function<String, Optional<String>> images) {
        this.reachable = reachable;
        this.risks = Map.copyOf(risks);
        this.images = images;
    }

    /** The channels in which a release is. */
    public static List<String> channels(String version) {
        if (version.contains("okd-scos")) {
            return List.of("next-scos-4", "stable-scos-4");
        }
        return Version.of(version).stream()
                .flatMap(v -> Stream.of("candidate", "eus", "fast", "stable")
                        .flatMap(name -> Stream.of(v, v.next()).map(of -> name + "-" + of.stream())))
                .toList();
    }

    /** The channel that an installation configures. */
    public static String installChannel(String version) {
        return version.contains("okd-scos")
                ? "stable-scos-4"
                : Version.of(version).map(v -> "stable-" + v.stream()).orElse("");
    }

    /** The updates of a cluster that runs that version. */
    public AvailableUpdates updates(ClusterVersionSpec spec, String running) {
        String channel = spec.channel();
        if (!spec.upstream().isEmpty() && !isHttp(spec.upstream())) {
            return failed("InvalidURI", "failed to parse upstream URL: " + spec.upstream());
        }
        if (!isUuid(spec.clusterId())) {
            return failed("InvalidID", "invalid cluster ID: " + spec.clusterId());
        }
        if (channel.isEmpty()) {
            return failed("NoChannel", "The update channel has not been configured.");
        }
        Version from = Version.of(running).orElse(null);
        if (from == null) {
            return failed("InvalidCurrentVersion", "Invalid current version: " + running);
        }
        if (!reachable) {
            String server = spec.upstream().isEmpty() ? DEFAULT_UPSTREAM : spec.upstream();
            return failed(
                    "RemoteFailed",
                    "Unable to retrieve available updates: Get \"%s?channel=%s\": dial tcp: i/o timeout"
                            .formatted(server, channel));
        }
        if (!isIn(channel, running, from)) {
            return failed(
                    "VersionNotFound",
                    "Unable to retrieve available updates: currently reconciling cluster version %s not found in the \"%s\" channel"
                            .formatted(running, channel));
        }
        return retrieved(candidates(channel, from).toList());
    }

    private AvailableUpdates retrieved(List<String> versions) {
        List<Payload> known = versions.stream()
                .flatMap(version -> images.apply(version).map(image -> new Payload(version, image)).stream())
                .toList();
        return new AvailableUpdates(
                Condition.yes("RetrievedUpdates", "", ""),
                known.stream()
                        .filter(payload -> !risks.containsKey(payload.version()))
                        .toList(),
                known.stream()
                        .filter(payload -> risks.containsKey(payload.version()))
                        .map(payload ->
                                new AvailableUpdates.Conditional(payload, String.valueOf(risks.get(payload.version()))))
                        .toList());
    }

    /** Newest first, as the operator sorts them. */
    private static Stream<String> candidates(String channel, Version from) {
        Matcher okd = OKD_BUILD.matcher(from.prerelease());
        if (okd.matches()) {
            int build = Integer.parseInt(okd.group(1));
            return descending(build + 1, build + 3)
                    .mapToObj(n -> from.stream() + "." + from.patch() + "-okd-scos." + n);
        }
        Matcher m = CHANNEL.matcher(channel);
        String following = from.next().stream();
        Stream<String> next = m.matches() && m.group(1).equals(following)
                ? descending(0, LAST_PATCH).mapToObj(n -> following + "." + n)
                : Stream.empty();
        int first = from.prerelease().isEmpty() ? from.patch() + 1 : from.patch();
        return Stream.concat(next, descending(first, LAST_PATCH).mapToObj(n -> from.stream() + "." + n));
    }

    private static IntStream descending(int first, int last) {
        return IntStream.rangeClosed(first, last).map(n -> last - (n - first));
    }

    private static boolean isIn(String channel, String running, Version from) {
        if (running.contains("okd-scos")) {
            return OKD_CHANNEL.matcher(channel).matches();
        }
        Matcher m = CHANNEL.matcher(channel);
        return m.matches() && (m.group(1).equals(from.stream()) || m.group(1).equals(from.next().stream()));
    }

    private static AvailableUpdates failed(String reason, String message) {
        return AvailableUpdates.none(Condition.no("RetrievedUpdates", reason, message));
    }

    private static boolean isHttp(String url) {
        try {
            String scheme = new URI(url).getScheme();
            return "http".equals(scheme) || "https".equals(scheme);
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static boolean isUuid(String text) {
        try {
            return UUID.fromString(text).toString().equalsIgnoreCase(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
