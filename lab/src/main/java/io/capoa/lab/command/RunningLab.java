package io.capoa.lab.command;

import io.capoa.lab.Neighbours;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ChildProcess;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.clusterctl.Clusterctl;
import io.capoa.lab.clusterctl.Installation;
import io.capoa.lab.clusterctl.LocalRepository;
import io.capoa.lab.metal3.Metal3Programs;
import io.capoa.lab.progress.View;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.provider.ProviderProcess;
import io.capoa.lab.report.ProcessFigures;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Everything that runs, in the order in which it was started; closed the other way round. */
final class RunningLab implements AutoCloseable {

    /** Any version that clusterctl takes: it comes from this checkout. */
    private static final String RELEASE = "v0.1.0";

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final List<ProviderProcess> providers = new ArrayList<>();
    private final LocalCluster cluster;
    private final Neighbours neighbours;
    private final List<Metal3Programs> metal3 = new ArrayList<>();
    private @Nullable Installation installation;

    private RunningLab(Settings settings, View view, Consumer<ChildProcess.Exit> died) {
        try {
            Path logs = settings.state().resolve("logs");
            view.say("Starting a Kubernetes API server …");
            var builder = LocalCluster.builder().state(settings.state()).onUnexpectedExit(died);
            settings.port().ifPresent(builder::port);
            cluster = keep(builder.start());
            neighbours = keep(Neighbours.servers(
                    cluster,
                    settings.delays(),
                    settings.state(),
                    settings.cast().absent()));
            if (settings.cast().clusterApi()) {
                installation = keep(byClusterctl(settings, view));
                neighbours.act();
            } else {
                new ManagementCluster(cluster, settings.root(), settings.thirdPartyCrds()).prepare();
                view.say("Starting the neighbours and the two providers …");
                neighbours.act();
                for (Provider provider : Provider.values()) {
                    providers.add(keep(ProviderProcess.start(provider, cluster, logs, flags(provider), died)));
                }
                providers.forEach(ProviderProcess::awaitReady);
            }
            settings.cast()
                    .metal3()
                    .ifPresent(folder -> metal3.add(keep(Metal3Programs.start(folder, cluster, logs, died))));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts everything; returns when it is ready.
     *
     * @param died told when a process ends that nobody stopped
     */
    static RunningLab start(Settings settings, View view, Consumer<ChildProcess.Exit> died) {
        return new RunningLab(settings, view, died);
    }

    /** Core and both providers the way users install them. */
    private Installation byClusterctl(Settings settings, View view) {
        Binaries binaries = Binaries.ofThisProcess();
        Path folder = settings.state().resolve("clusterctl");
        LocalRepository repository = Installation.repository(settings.root(), binaries, folder, RELEASE);
        Installation prepared = Installation.prepare(
                cluster, settings.root(), settings.thirdPartyCrds(), binaries, repository, settings.state());
        try {
            neighbours.registriesConf().ifPresent(prepared::mirrors);
            view.say("Installing Cluster API core and the two providers with clusterctl …");
            var unused = prepared.clusterctl().init();
            return prepared;
        } catch (RuntimeException e) {
            prepared.close();
            throw e;
        }
    }

    private List<String> flags(Provider provider) {
        return switch (provider) {
            case BOOTSTRAP -> List.of();
            case CONTROL_PLANE ->
                neighbours.registriesConf().map(file -> "--registries-conf=" + file).stream()
                        .toList();
        };
    }

    private <C extends AutoCloseable> C keep(C part) {
        started.push(part);
        return part;
    }

    LocalCluster cluster() {
        return cluster;
    }

    /** The real clusterctl, where it has installed what runs. */
    Optional<Clusterctl> clusterctl() {
        return Optional.ofNullable(installation).map(Installation::clusterctl);
    }

    Neighbours neighbours() {
        return neighbours;
    }

    /** What each process has used, by its name; the lab itself holds all simulated neighbours. */
    SortedMap<String, ProcessFigures> figures() {
        SortedMap<String, Long> ids = new TreeMap<>(cluster.processIds());
        providers.forEach(p -> ids.put(p.provider().module(), p.child().pid()));
        metal3.forEach(programs -> programs.running().forEach(child -> ids.put(child.name(), child.pid())));
        Installation installed = installation;
        if (installed != null) {
            installed.node().running().forEach(container -> ids.put(container.program(), container.pid()));
        }
        ids.put("lab", ProcessHandle.current().pid());
        SortedMap<String, ProcessFigures> figures = new TreeMap<>();
        ids.forEach((name, pid) -> ProcessFigures.of(pid).ifPresent(f -> figures.put(name, f)));
        return figures;
    }

    @Override
    public synchronized void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                System.err.println("While stopping: " + e);
            }
        }
    }
}
