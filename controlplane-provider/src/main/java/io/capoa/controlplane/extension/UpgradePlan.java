package io.capoa.controlplane.extension;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.release.KubernetesVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The steps of an upgrade over several minor versions. Each minor version of Kubernetes is one of OpenShift, and
 * OpenShift skips none: Kubernetes 1.N is part of OpenShift 4.(N-13). The version of a step in between is that of a
 * release in variable {@code releases} of the Cluster's topology.
 */
final class UpgradePlan {

    private static final int MOST_STEPS = 50;

    /** Variable of the ClusterClass of the release, whose patches choose the release of each Kubernetes version. */
    private static final String RELEASES = "releases";

    private UpgradePlan() {}

    /** Answers GenerateUpgradePlan. */
    static HookResponse of(HookRequest request) throws InvalidRequest {
        KubernetesVersion from = request.version("fromControlPlaneKubernetesVersion");
        Optional<KubernetesVersion> workers = request.optionalVersion("fromWorkersKubernetesVersion");
        KubernetesVersion to = request.version("toKubernetesVersion");
        if (to.compareTo(from) < 0) {
            throw new InvalidRequest("toKubernetesVersion " + to + " is older than fromControlPlaneKubernetesVersion "
                    + from + ": OpenShift cannot go back");
        }
        if (from.major() != to.major() || to.minor() - from.minor() > MOST_STEPS) {
            throw new InvalidRequest("toKubernetesVersion " + to + " is too far from " + from);
        }
        List<KubernetesVersion> steps = steps(from, to, releases(request));
        // Cluster API refuses steps for workers where there are none.
        List<KubernetesVersion> followers = workers.isPresent() ? followers(workers.get(), from, steps) : List.of();
        return HookResponse.success()
                .with("controlPlaneUpgrades", list(steps))
                .with("workersUpgrades", list(followers));
    }

    /** The listed release of each minor version in between, or its first release; then the target. */
    private static List<KubernetesVersion> steps(
            KubernetesVersion from, KubernetesVersion to, List<KubernetesVersion> releases) {
        List<KubernetesVersion> steps = new ArrayList<>();
        for (long minor = from.minor() + 1; minor < to.minor(); minor++) {
            long between = minor;
            steps.add(releases.stream()
                    .filter(release -> release.major() == to.major() && release.minor() == between)
                    .max(Comparator.naturalOrder())
                    .orElseGet(() -> to.ofMinor(between)));
        }
        if (to.compareTo(from) > 0) {
            steps.add(to);
        }
        return steps;
    }

    /** Kubernetes versions of the listed releases; none if the topology has no such variable. */
    private static List<KubernetesVersion> releases(HookRequest request) throws InvalidRequest {
        List<KubernetesVersion> versions = new ArrayList<>();
        for (JsonNode variable : request.object("cluster").at("/spec/topology/variables")) {
            if (RELEASES.equals(variable.path("name").asText())) {
                for (JsonNode release : variable.path("value")) {
                    String version = release.path("kubernetesVersion").asText();
                    versions.add(KubernetesVersion.parse(version)
                            .orElseThrow(
                                    () -> new InvalidRequest("variable releases of the Cluster has kubernetesVersion "
                                            + UntrustedContent.quoted(version)
                                            + ", which is not a Kubernetes version: write one such as v1.34.2")));
                }
            }
        }
        return versions;
    }

    /** Workers follow each step of the control plane; workers that lag behind first follow to where it is now. */
    private static List<KubernetesVersion> followers(
            KubernetesVersion workers, KubernetesVersion controlPlane, List<KubernetesVersion> steps) {
        List<KubernetesVersion> all = new ArrayList<>();
        all.add(controlPlane);
        all.addAll(steps);
        return all.stream().filter(step -> step.compareTo(workers) > 0).toList();
    }

    private static ArrayNode list(List<KubernetesVersion> steps) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        steps.forEach(step -> list.addObject().put("version", step.text()));
        return list;
    }
}
