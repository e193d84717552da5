package io.capoa.lab.command;

import io.capoa.lab.LabStack;
import io.capoa.lab.Notices;
import io.capoa.lab.Peers;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ChildProcess;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.clusterctl.Clusterctl;
import io.capoa.lab.clusterctl.ClusterctlInstallation;
import io.capoa.lab.clusterctl.LocalRepository;
import io.capoa.lab.image.Images;
import io.capoa.lab.metal3.Metal3Programs;
import io.capoa.lab.pods.LocalNode.RunningContainer;
import io.capoa.lab.pods.Program;
import io.capoa.lab.progress.View;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.provider.ProviderMetrics;
import io.capoa.lab.report.ProcessFigures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** All parts of a running lab in the order of their start, closed in reverse order. */
final class RunningLab implements AutoCloseable {

    /** Any version that clusterctl accepts: it is built from this checkout. */
    private static final String RELEASE = "v0.2.0";

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final LocalCluster cluster;
    private final LabStack stack;
    private final List<Metal3Programs> metal3 = new ArrayList<>();

    private RunningLab(Settings settings, View view, Consumer<ChildProcess.Exit> died) {
        StartSteps steps = StartSteps.watching(view::say);
        try (steps) {
            Notices notices = new Notices(view::say, steps::begin);
            Binaries binaries = Binaries.ofThisProcess(view::say);
            binaries.provide(programs(binaries, settings.selection().clusterApi()));
            view.say("Starting a Kubernetes API server …");
            var builder = LocalCluster.builder()
                    .binaries(binaries)
                    .state(settings.state())
                    .onRestart(view::say)
                    .onStep(steps::begin)
                    .onUnexpectedExit(died);
            settings.server().port().ifPresent(builder::port);
            cluster = keep(builder.start());
            Function<Provider, Program> managers = managers(settings, view);
            var management = new ManagementCluster(
                    cluster, settings.root(), settings.server().thirdPartyCrds());
            stack = keep(
                    settings.selection().clusterApi()
                            ? byClusterctl(management, binaries, settings, view, notices, managers)
                            : simulated(management, settings, view, notices, managers));
            settings.selection()
                    .metal3()
                    .ifPresent(folder -> metal3.add(keep(Metal3Programs.start(
                            folder, cluster, settings.state().resolve("logs"), died))));
        } catch (RuntimeException e) {
            close();
            throw Unanswered.during(steps.current(), e);
        }
    }

    /**
     * Starts everything; returns when it is ready.
     *
     * @param died called when a process has ended unexpectedly
     */
    static RunningLab start(Settings settings, View view, Consumer<ChildProcess.Exit> died) {
        return new RunningLab(settings, view, died);
    }

    /** What this lab runs; a kubectl renders the components, and shows the user around. */
    static Set<Tool> programs(Binaries binaries, boolean clusterApi) {
        Set<Tool> programs = EnumSet.copyOf(Tool.CONTROL_PLANE);
        if (binaries.installedKubectl().isEmpty()) {
            programs.add(Tool.KUBECTL);
        }
        if (clusterApi) {
            programs.addAll(Set.of(Tool.CLUSTER_API_CORE, Tool.CLUSTERCTL));
        }
        return programs;
    }

    /** The builds of this checkout, or their images. */
    private static Function<Provider, Program> managers(Settings settings, View view) {
        if (!settings.server().images()) {
            return provider -> provider.program(settings.root());
        }
        view.say("Building and unpacking the images of the two providers …");
        Images images = Images.build(settings.root(), settings.state().resolve("images"), "lab");
        return provider -> images.program(provider, settings.state());
    }

    private static LabStack simulated(
            ManagementCluster management,
            Settings settings,
            View view,
            Notices notices,
            Function<Provider, Program> managers) {
        view.say("Installing the two providers, starting the peers …");
        if (settings.scale().light()) {
            return LabStack.light(
                    management, settings.state(), notices, settings.server().variables(), managers);
        }
        return LabStack.start(
                management,
                settings.delays(),
                settings.state(),
                notices,
                settings.selection().absent(),
                settings.server().variables(),
                settings.selection().assistedService(),
                managers);
    }

    private static LabStack byClusterctl(
            ManagementCluster management,
            Binaries binaries,
            Settings settings,
            View view,
            Notices notices,
            Function<Provider, Program> managers) {
        notices.step().accept("building a release of the providers");
        LocalRepository repository = ClusterctlInstallation.repository(
                settings.root(), binaries, settings.state().resolve("clusterctl"), RELEASE);
        view.say("Installing Cluster API core and the two providers with clusterctl, starting the peers …");
        return LabStack.byClusterctl(
                management,
                binaries,
                repository,
                settings.delays(),
                settings.state(),
                notices,
                settings.selection().absent(),
                managers);
    }

    /** Closes a part with the lab, before those that were kept earlier. */
    <C extends AutoCloseable> C keep(C part) {
        started.push(part);
        return part;
    }

    LocalCluster cluster() {
        return cluster;
    }

    /** clusterctl; empty unless it has installed the providers. */
    Optional<Clusterctl> clusterctl() {
        return stack.clusterctl();
    }

    Peers peers() {
        return stack.peers();
    }

    /** Resource usage by process name; the process {@code lab} contains all simulated peers. */
    SortedMap<String, ProcessFigures> figures() {
        SortedMap<String, Long> ids = new TreeMap<>(cluster.processIds());
        containers().forEach(process -> ids.merge(process.program(), innermost(process.pid()), Math::max));
        metal3.forEach(programs -> programs.running().forEach(child -> ids.put(child.name(), child.pid())));
        ids.put("lab", ProcessHandle.current().pid());
        SortedMap<String, ProcessFigures> figures = new TreeMap<>();
        ids.forEach((name, pid) -> ProcessFigures.of(pid).ifPresent(f -> figures.put(name, f)));
        return figures;
    }

    /** Processes of all pods at this moment. */
    List<RunningContainer> containers() {
        return stack.node().running();
    }

    /** Metrics of the managers, by program. */
    SortedMap<String, ProviderMetrics> metrics() throws InterruptedException {
        return ProviderMetrics.of(
                containers(), cluster().admin().getConfiguration().getOauthToken());
    }

    /** The program itself, where another one has started it. */
    private static long innermost(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.children().findFirst())
                .map(child -> innermost(child.pid()))
                .orElse(pid);
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
