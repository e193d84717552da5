package io.capoa.lab.command;

import io.capoa.lab.Peer;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ChildProcess;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.clusterctl.Clusterctl;
import io.capoa.lab.progress.ClusterRow;
import io.capoa.lab.report.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Final messages of the lab: the result, and where to find details. */
final class Epilogue {

    private static final int CLUSTERS_EXPLAINED = 5;

    private Epilogue() {}

    static String ready(Report report, Settings settings, LocalCluster cluster, Optional<Clusterctl> clusterctl) {
        Report.Summary summary = report.summary();
        String times = summary.clusters() == 1
                ? String.format(Locale.ROOT, "%.1f s after apply", summary.wallSeconds())
                : String.format(
                        Locale.ROOT,
                        "%d clusters, the first after %.1f s, the last after %.1f s",
                        summary.clusters(),
                        summary.firstReadySeconds(),
                        summary.wallSeconds());
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("Ready: " + times + ".");
        if (settings.ending().once()) {
            lines.add("Figures, logs and the audit log are in " + settings.state() + ".");
            return String.join(System.lineSeparator(), lines);
        }
        String kubectl = kubectl();
        String namespace = settings.namespaces().getFirst();
        lines.addAll(List.of(
                "",
                "Look around, in another terminal:",
                "  export KUBECONFIG=" + cluster.adminKubeconfig(),
                "  " + kubectl + " get clusters,oacp,machines,oac,agents,bmh -A",
                "  " + kubectl + " explain oacp.spec.config",
                "  " + kubectl + " -n " + namespace + " scale machinedeployment --all --replicas=1",
                "  lab/logs%s bootstrap".formatted(state(settings)),
                "Figures, logs and the audit log are in " + settings.state() + "."));
        clusterctl.ifPresent(ctl -> lines.addAll(clusterctl(ctl, namespace)));
        lines.addAll(vacancies(settings, cluster));
        lines.addAll(List.of(
                "",
                settings.ending().inBackground()
                        ? "The lab runs in the background. Stop it with lab/down" + state(settings) + "."
                        : "Ctrl-C stops everything."));
        return String.join(System.lineSeparator(), lines);
    }

    /** The option that the other commands of the lab need too; empty for the default folder. */
    private static String state(Settings settings) {
        return settings.state().equals(settings.root().resolve(Up.STATE)) ? "" : " --state " + settings.state();
    }

    private static List<String> clusterctl(Clusterctl clusterctl, String namespace) {
        return List.of(
                "clusterctl, with the configuration that installed core and both providers:",
                "  %s describe cluster --namespace %s --config %s NAME"
                        .formatted(
                                clusterctl.program(),
                                namespace,
                                clusterctl.repository().configuration()));
    }

    /** How to run the peers that are not simulated; empty if all are. */
    static List<String> vacancies(Settings settings, LocalCluster cluster) {
        List<String> lines = new ArrayList<>();
        for (Peer peer : settings.selection().vacant()) {
            lines.add("");
            if (peer == Peer.REGISTRY) {
                lines.add("No registry is simulated: releases are resolved in the registries of their names.");
                continue;
            }
            lines.add("%s is not simulated. Run your own as its user, with this kubeconfig:".formatted(peer.title()));
            lines.add("  export KUBECONFIG=" + cluster.kubeconfigOf(user(peer)));
        }
        return lines;
    }

    private static String user(Peer peer) {
        return switch (peer) {
            case CLUSTER_API -> KnownUsers.CLUSTER_API;
            case METAL3 -> KnownUsers.METAL3;
            case CLOUD -> KnownUsers.CLOUD;
            case ASSISTED_SERVICE -> KnownUsers.ASSISTED_SERVICE;
            case HOSTS -> KnownUsers.WORKLOAD;
            case REGISTRY -> throw new IllegalArgumentException("A registry has no user on the management cluster.");
        };
    }

    /** @param expected number of clusters that are applied in all */
    static String notReady(List<ClusterRow> rows, int expected, Settings settings, ChildProcess.@Nullable Exit death) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        if (death != null) {
            lines.add(death.describe());
        }
        List<ClusterRow> late = rows.stream().filter(row -> !row.ready()).toList();
        int missing = Math.max(0, expected - rows.size());
        lines.add("Not ready: %d of %d clusters%s."
                .formatted(
                        late.size() + missing,
                        rows.size() + missing,
                        missing == 0 ? "" : ", of which %d were not yet applied".formatted(missing)));
        for (ClusterRow row : late.subList(0, Math.min(late.size(), CLUSTERS_EXPLAINED))) {
            lines.add(row.title());
            row.waitingFor().forEach(reason -> lines.add("  " + reason));
        }
        if (late.size() > CLUSTERS_EXPLAINED) {
            lines.add("… and %d more".formatted(late.size() - CLUSTERS_EXPLAINED));
        }
        lines.add("Logs, the audit log and report.json are in " + settings.state() + ".");
        return String.join(System.lineSeparator(), lines);
    }

    /** The kubectl on the {@code PATH}, else the lab's. */
    private static String kubectl() {
        Binaries binaries = Binaries.ofThisProcess();
        return binaries.installedKubectl().isPresent()
                ? "kubectl"
                : binaries.present(Tool.KUBECTL).map(Path::toString).orElse("kubectl");
    }
}
