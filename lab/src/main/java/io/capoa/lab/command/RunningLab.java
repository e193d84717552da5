package io.capoa.lab.command;

import io.capoa.lab.Neighbours;
import io.capoa.lab.Site;
import io.capoa.lab.cluster.ChildProcess;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.progress.View;
import io.capoa.lab.report.ProcessFigures;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Everything that runs, in the order in which it was started; closed the other way round. */
final class RunningLab implements AutoCloseable {

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final LocalCluster cluster;
    private final Site site;

    private RunningLab(Settings settings, View view, Consumer<ChildProcess.Exit> died) {
        try {
            view.say("Starting a Kubernetes API server …");
            var builder = LocalCluster.builder().state(settings.state()).onUnexpectedExit(died);
            settings.port().ifPresent(builder::port);
            cluster = keep(builder.start());
            view.say("Installing the two providers, starting the neighbours …");
            var management = new ManagementCluster(cluster, settings.root(), settings.thirdPartyCrds());
            site = keep(Site.start(management, settings.delays(), settings.state(), view::say));
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

    private <C extends AutoCloseable> C keep(C part) {
        started.push(part);
        return part;
    }

    LocalCluster cluster() {
        return cluster;
    }

    Neighbours neighbours() {
        return site.neighbours();
    }

    /** What each process has used, by its name; the lab itself holds all simulated neighbours. */
    SortedMap<String, ProcessFigures> figures() {
        SortedMap<String, Long> ids = new TreeMap<>(cluster.processIds());
        site.node().running().forEach(process -> ids.merge(process.program(), process.pid(), Math::max));
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
