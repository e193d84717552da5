package io.capoa.lab.command;

import io.capoa.lab.actors.Delays;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.GoModule;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.metal3.Metal3Contract;
import io.capoa.lab.progress.LiveView;
import io.capoa.lab.progress.PlainView;
import io.capoa.lab.progress.View;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code lab/up}: the command line, and what it means. */
@Command(
        sortOptions = false,
        description = {
            "Brings up a bare-metal lab on this machine and installs OpenShift clusters in it: a real Kubernetes API"
                    + " server, simulated Cluster API core, Metal3, assisted-service, release registry and hosts, and"
                    + " the two providers of this project, installed from their release. Stays up until Ctrl-C.",
            ""
        },
        footer = {
            "",
            "Files in the state folder: kubeconfig, audit.log (audit.k8s.io/v1, a JSON object a line), logs/ (one file a"
                    + " process), report.json (seconds from apply to Ready for each cluster, requests and writes for"
                    + " each user, CPU seconds and peak memory for each process).",
            "",
            "Exit code: 0 when every cluster became Ready (or after Ctrl-C), 1 when not in time or something failed, 2"
                    + " when the command line is wrong."
        })
public final class Up implements Callable<Integer> {

    static final int FAILED = 1;

    private static final Path SAMPLE = Path.of("config", "samples", "multinode.yaml");
    private static final Path STATE = Path.of("lab", "target", "state");

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "Manifests to apply. Default: config/samples/multinode.yaml.")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--once", description = "End when every cluster is Ready, or with exit code 1 when time is up.")
    private boolean once;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "How long the clusters may take to become Ready. Default: 120; without --once, no limit.")
    private @Nullable Integer timeout;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "1",
            description = "Apply the files N times, each to a namespace of its own (demo-001, demo-002, …)."
                    + " Default: ${DEFAULT-VALUE}, in namespace demo.")
    private int clusters;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Replicas of every MachineDeployment. Default: as the files say.")
    private @Nullable Integer workers;

    @Option(
            names = "--spare-hosts",
            paramLabel = "N",
            defaultValue = "0",
            description = "BareMetalHosts in each namespace beyond those that the files need."
                    + " Default: ${DEFAULT-VALUE}.")
    private int spareHosts;

    @Option(
            names = "--with",
            paramLabel = "NAME[=DIR]",
            description = "Run the real thing instead of a simulated neighbour: cluster-api (Cluster API core, and both"
                    + " providers, installed by clusterctl; needs Go), metal3=DIR (CAPM3 and baremetal-operator, whose"
                    + " executables cluster-api-provider-metal3 and baremetal-operator lie in DIR; needs --crds),"
                    + " assisted-service=URL (one that you run against the printed kubeconfig).")
    private List<String> with = new ArrayList<>();

    @Option(
            names = "--assisted-service-ca",
            paramLabel = "FILE",
            description = "CA of the service that --with assisted-service=URL names, in PEM: the bootstrap provider and"
                    + " the hosts trust it.")
    private @Nullable Path assistedServiceCa;

    @Option(
            names = "--without",
            paramLabel = "NAME",
            description = "Leave a simulated neighbour off, for somebody who runs the real thing against the printed"
                    + " kubeconfig: cluster-api, metal3, assisted-service, hosts, registry.")
    private List<String> without = new ArrayList<>();

    @Option(
            names = "--speed",
            paramLabel = "zero|real",
            defaultValue = "zero",
            description = "How long the simulated neighbours take: no time, or roughly what a rack of servers takes."
                    + " Default: ${DEFAULT-VALUE}.")
    private String speed = "zero";

    @Option(
            names = "--delay",
            paramLabel = "STEP=TIME[,STEP=TIME…]",
            description = "Single delays, such as infrastructure=2s,registry=50ms. Steps: infrastructure, provisioning,"
                    + " boot, infraenv, discovery, preparing, stage, finalizing, registry, ignition.")
    private List<String> delays = new ArrayList<>();

    @Option(
            names = "--crds",
            paramLabel = "DIR",
            description = "Folder with the publishers' CRDs of Cluster API, Metal3, assisted-service and Hive."
                    + " Default: the lab's own lean schemas.")
    private @Nullable Path crds;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "Where kubeconfig, logs, audit log and report go. Default: lab/target/state.")
    private @Nullable Path state;

    @Option(names = "--port", paramLabel = "PORT", description = "Port of the API server. Default: a free one.")
    private @Nullable Integer port;

    @Option(
            names = "--plain",
            description = "Print a line for every change instead of a live table. Default when the output is not a"
                    + " terminal.")
    private boolean plain;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this text and end.")
    @SuppressWarnings("UnusedVariable")
    private boolean help;

    @Override
    public Integer call() throws IOException {
        Path root = ProjectRoot.find();
        Settings settings = settings(root);
        // Before the first logger is made: its configuration asks for the file.
        System.setProperty(
                "capoa.lab.log",
                settings.state().resolve("logs").resolve("lab.log").toString());
        boolean live = !plain
                && Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .isPresent();
        View view = live ? new LiveView() : new PlainView(System.out);
        return new Run(settings, view).execute();
    }

    private Settings settings(Path root) {
        if (clusters < 1) {
            throw new ParameterException(spec.commandLine(), "--clusters takes 1 or more, not " + clusters);
        }
        if (workers != null && workers < 0) {
            throw new ParameterException(spec.commandLine(), "--workers takes 0 or more, not " + workers);
        }
        Optional<Duration> limit = timeout != null
                ? Optional.of(Duration.ofSeconds(timeout))
                : once ? Optional.of(Duration.ofSeconds(120)) : Optional.empty();
        return new Settings(
                root,
                files.isEmpty() ? List.of(root.resolve(SAMPLE)) : List.copyOf(files),
                state == null ? root.resolve(STATE) : state.toAbsolutePath(),
                new Settings.Scale(
                        clusters, workers == null ? OptionalInt.empty() : OptionalInt.of(workers), spareHosts),
                new Settings.Ending(once, limit),
                delays(),
                new Settings.Server(
                        Optional.ofNullable(crds), port == null ? OptionalInt.empty() : OptionalInt.of(port)),
                cast());
    }

    private Cast cast() {
        Cast cast;
        try {
            cast = Cast.of(with, without, Optional.ofNullable(assistedServiceCa));
        } catch (TypeConversionException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        if (cast.metal3().isPresent() && crds == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--with metal3=DIR needs --crds: Metal3's programs watch kinds that the lab's own schemas leave out");
        }
        cast.metal3()
                .flatMap(programs -> Metal3Contract.mismatch(programs, Objects.requireNonNull(crds)))
                .ifPresent(mismatch -> {
                    throw new ParameterException(
                            spec.commandLine(), "--with metal3 and --crds do not fit: " + mismatch);
                });
        if (cast.clusterApi()) {
            GoModule.obstacle().ifPresent(obstacle -> {
                throw new ClusterException("--with cluster-api is not possible here: %s.".formatted(obstacle));
            });
        }
        return cast;
    }

    private Delays delays() {
        Delays chosen = switch (speed) {
            case "zero" -> Delays.none();
            case "real" -> Delays.real();
            default ->
                throw new ParameterException(
                        spec.commandLine(), "--speed takes zero or real, not \"%s\"".formatted(speed));
        };
        try {
            delays.forEach(text -> DelayOption.set(chosen, text));
        } catch (TypeConversionException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        return chosen;
    }

    /** Turns a failure into a sentence; only what nobody foresaw shows its stack. */
    public static int explain(Exception failure, CommandLine command, ParseResult parsed) {
        Optional<IOException> disk = causes(failure)
                .filter(IOException.class::isInstance)
                .map(IOException.class::cast)
                .findFirst();
        if (failure instanceof ClusterException) {
            command.getErr().println(failure.getMessage());
        } else if (disk.isPresent()) {
            command.getErr()
                    .println(
                            "The lab cannot read or write its files: %s. Make room, or name another folder with --state."
                                    .formatted(disk.get().getMessage()));
        } else {
            failure.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return FAILED;
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }
}
