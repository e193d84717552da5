package io.capoa.controlplane.upgrade;

import io.capoa.api.conditions.Condition;
import io.capoa.controlplane.release.DistributionVersion;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Says which releases the cluster's update service offers. */
public final class UpgradeOffers {

    private static final int NAMED = 5;

    private UpgradeOffers() {}

    /** The offered updates, newest first, each version once; those that cannot be compared come last. */
    public static List<OfferedUpdate> newestFirst(ClusterVersionState version) {
        Comparator<OfferedUpdate> byVersion = Comparator.comparing(update ->
                DistributionVersion.parse(update.release().version()).orElse(DistributionVersion.ofMinor(0, 0)));
        Set<String> listed = new HashSet<>();
        return version.offered().stream()
                .sorted(byVersion.reversed())
                .filter(update -> !update.release().version().isEmpty())
                .filter(update -> listed.add(update.release().version()))
                .toList();
    }

    /** Why the wanted release is not among the offered ones, and what to do about it. */
    static String missing(UpgradeRequest request, ClusterVersionState version) {
        String channel = version.channel().isEmpty() ? "no channel is set" : "channel is " + version.channel();
        Optional<String> failure = version.condition("RetrievedUpdates", Condition.FALSE)
                .map(condition -> condition.message().isEmpty() ? condition.reason() : condition.message());
        if (failure.isPresent()) {
            return "the cluster has no list of updates (%s): %s; set spec.upgrade.channel, make the update service reachable, or set spec.upgrade.allowExplicitUpgrade"
                    .formatted(channel, failure.get());
        }
        List<OfferedUpdate> offered = newestFirst(version);
        String names = offered.isEmpty()
                ? "nothing"
                : offered.stream()
                        .limit(NAMED)
                        .map(update -> update.release().version())
                        .collect(Collectors.joining(", "));
        return "the update service does not offer release %s (%s); it offers %s: choose one of them, or the channel of the wanted release in spec.upgrade.channel"
                .formatted(request.target(), channel, names);
    }
}
