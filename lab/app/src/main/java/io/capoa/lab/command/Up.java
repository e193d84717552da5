package io.capoa.lab.command;

import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.GoModule;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.metal3.Metal3Contract;
import io.capoa.lab.progress.LiveView;
import io.capoa.lab.progress.PlainView;
import io.capoa.lab.progress.View;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Command line of {@code ./lab/up}. */
@Command(
        sortOptions = false,
        description = {
            "Brings up a bare-metal lab on this machine and installs OpenShift clusters in it: a real Kubernetes API"
                    + " server, simulated Cluster API core, Metal3, assisted-service, release registry and hosts, and"
                    + " the two providers of this project, installed from their release. Runs until Ctrl-C.",
            ""
        },
        footer = {
            "",
            "Files in the state folder: kubeconfig, audit.log (audit.k8s.io/v1, one JSON object per line), logs/ (one"
                    + " file per process), report.json (seconds from apply to Ready of each cluster, requests and writes"
                    + " of each user, CPU seconds and memory of each process).",
            "",
            "Other commands, each with --help: lab/down stops a lab, lab/logs shows the log of a pod, lab/reload builds the"
                    + " providers and replaces their pods, lab/conformance checks an infrastructure provider.",
            "",
            "Exit code: 0 when every cluster became Ready, 1 after a failure or timeout, 2 when the command line, a file"
                    + " or an object in it is invalid, 3 when another lab runs with the state folder, 130 after Ctrl-C."
        })
public final class Up implements Callable<Integer> {

    private static final Path SAMPLE = Path.of("config", "samples", "multinode.yaml");
    private static final int HIGHEST_PORT = 65_535;
    static final Path STATE = Path.of("lab", "target", "state");

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "Manifests to apply. Default: config/samples/multinode.yaml.")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--once", description = "Exit when every cluster is Ready, or with code 1 after the timeout.")
    private boolean once;

    @Option(
            names = "--detach",
            description = "Leave the lab running in the background once every cluster is Ready; lab/down stops it.")
    private boolean detach;

    @Option(names = Detached.FLAG, hidden = true)
    private boolean inBackground;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Time limit until every cluster is Ready. Default: 120; without --once, no limit.")
    private @Nullable Integer timeout;

    @Option(
            names = "--benchmark",
            paramLabel = "SECONDS",
            description =
                    "With --once: when every cluster is Ready, measure the lab at rest for that time and then a restart"
                            + " of both providers, and print their CPU time, memory, reconciles and writes"
                            + " (docs/performance.md).")
    private @Nullable Integer benchmark;

    @Option(
            names = "--settle",
            paramLabel = "SECONDS",
            defaultValue = "180",
            description = "With --benchmark: how long after the last cluster is Ready the rest begins. Until then the"
                    + " managers ask new clusters for what they ask old ones seldom. Default: ${DEFAULT-VALUE}.")
    private int settle;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "1",
            description = "Apply the files N times, each time to a separate namespace (demo-001, demo-002, …)."
                    + " Default: ${DEFAULT-VALUE}, in namespace demo.")
    private int clusters;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Replicas of every MachineDeployment. Default: as in the files.")
    private @Nullable Integer workers;

    @Option(
            names = "--spare-hosts",
            paramLabel = "N",
            defaultValue = "0",
            description = "Additional BareMetalHosts in each namespace. Default: ${DEFAULT-VALUE}.")
    private int spareHosts;

    @Option(
            names = "--light",
            description =
                    "Peers for measurements with hundreds of clusters: they write each object's last state at once, and no"
                            + " hosts run. They simulate the installation of clusters of three control planes on bare metal,"
                            + " without workers (--workers 0), but neither deletion nor upgrades.")
    private boolean light;

    @Option(
            names = "--with",
            paramLabel = "NAME[=DIR]",
            description = "Run the real thing instead of a simulated peer: cluster-api (Cluster API core, and both"
                    + " providers, installed by clusterctl; needs Go), metal3=DIR (CAPM3 and baremetal-operator, whose"
                    + " executables cluster-api-provider-metal3 and baremetal-operator are in DIR; needs --crds),"
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
            description = "Do not simulate a peer, but run the real one with the printed kubeconfig:"
                    + " cluster-api, metal3, cloud, assisted-service, hosts, registry.")
    private List<String> without = new ArrayList<>();

    @Option(
            names = "--speed",
            paramLabel = "zero|recorded|real",
            defaultValue = "zero",
            description = "Duration of simulated steps: none, as recorded of a real assisted-service that"
                    + " installed simulated hosts, or similar to a rack of servers."
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
                    + " Default: the lab's own reduced schemas.")
    private @Nullable Path crds;

    @Option(
            names = "--images",
            description = "Run the two providers from their images: build them without a container engine (a minute),"
                    + " unpack them, and start them under bubblewrap.")
    private boolean images;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description =
                    "A variable of the providers' components (docs/install.md), such as CAPOA_MEMORY_LIMIT=640Mi.")
    private Map<String, String> variables = new TreeMap<>();

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "Folder for kubeconfig, logs, audit log and report. Default: lab/target/state.")
    private @Nullable Path state;

    @Option(names = "--port", paramLabel = "PORT", description = "Port of the API server. Default: a free one.")
    private @Nullable Integer port;

    @Option(names = "--no-web", description = "Serve no page. Otherwise its address is printed at the start.")
    private boolean noWeb;

    @Option(
            names = "--web-port",
            paramLabel = "PORT",
            description = "Port of the page on 127.0.0.1. Default: a free one.")
    private @Nullable Integer webPort;

    @Option(
            names = "--plain",
            description = "Print a line for every change instead of a live table. Default when the output is not a"
                    + " terminal.")
    private boolean plain;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this text and exit.")
    @SuppressWarnings("UnusedVariable")
    private boolean help;

    /** The command under its name in messages. */
    public static CommandLine commandLine() {
        return new CommandLine(new Up()).setCommandName("lab/up");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path root = ProjectRoot.find();
        Settings settings = settings(root);
        if (detach) {
            List<String> arguments =
                    new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
            arguments.remove("--detach");
            return new Detached(settings.state(), System.out).execute(arguments);
        }
        // Before the first logger is created, whose configuration reads the property.
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
        require(clusters >= 1, "--clusters takes 1 or more, not " + clusters);
        require(workers == null || workers >= 0, "--workers takes 0 or more, not " + workers);
        require(spareHosts >= 0, "--spare-hosts takes 0 or more, not " + spareHosts);
        require(timeout == null || timeout >= 1, "--timeout takes 1 or more, not " + timeout);
        require(port == null || (port >= 1 && port <= HIGHEST_PORT), "--port takes 1 to 65535, not " + port);
        require(
                webPort == null || (webPort >= 1 && webPort <= HIGHEST_PORT),
                "--web-port takes 1 to 65535, not " + webPort);
        require(crds == null || Files.isDirectory(crds), "--crds takes a folder; there is none at " + crds);
        require(
                assistedServiceCa == null || Files.isReadable(assistedServiceCa),
                "--assisted-service-ca takes a file; there is none at " + assistedServiceCa);
        require(!(detach && once), "--detach and --once contradict each other");
        require(!light || (with.isEmpty() && without.isEmpty()), "--light contradicts --with and --without");
        require(!light || (speed.equals("zero") && delays.isEmpty()), "--light contradicts --speed and --delay");
        require(
                variables.isEmpty() || !with.contains("cluster-api"),
                "--set contradicts --with cluster-api: clusterctl takes variables from the environment");
        require(settle >= 0, "--settle takes 0 or more, not " + settle);
        require(benchmark == null || (benchmark >= 1 && once), "--benchmark takes 1 or more seconds, and needs --once");
        Optional<Duration> limit = timeout != null
                ? Optional.of(Duration.ofSeconds(timeout))
                : once ? Optional.of(Duration.ofSeconds(120)) : Optional.empty();
        return new Settings(
                root,
                files.isEmpty() ? List.of(root.resolve(SAMPLE)) : List.copyOf(files),
                state == null ? root.resolve(STATE) : state.toAbsolutePath(),
                new Settings.Scale(
                        clusters, workers == null ? OptionalInt.empty() : OptionalInt.of(workers), spareHosts, light),
                new Settings.Ending(
                        once,
                        inBackground,
                        limit,
                        Optional.ofNullable(benchmark)
                                .map(seconds ->
                                        new Settings.Rest(Duration.ofSeconds(settle), Duration.ofSeconds(seconds)))),
                delays(),
                new Settings.Server(
                        Optional.ofNullable(crds),
                        port == null ? OptionalInt.empty() : OptionalInt.of(port),
                        noWeb ? OptionalInt.empty() : OptionalInt.of(webPort == null ? 0 : webPort),
                        images,
                        Map.copyOf(variables)),
                selection());
    }

    private void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    private PeerSelection selection() {
        PeerSelection selection;
        try {
            selection = PeerSelection.of(with, without, Optional.ofNullable(assistedServiceCa));
        } catch (TypeConversionException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        if (selection.metal3().isPresent() && crds == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--with metal3=DIR needs --crds: Metal3's programs watch kinds that the lab's own schemas leave"
                            + " out");
        }
        selection
                .metal3()
                .flatMap(programs -> Metal3Contract.mismatch(programs, Objects.requireNonNull(crds)))
                .ifPresent(mismatch -> {
                    throw new ParameterException(
                            spec.commandLine(), "--with metal3 and --crds do not match: " + mismatch);
                });
        if (selection.clusterApi()) {
            GoModule.obstacle().ifPresent(obstacle -> {
                throw new ClusterException("--with cluster-api is not possible here: %s.".formatted(obstacle));
            });
        }
        return selection;
    }

    private Delays delays() {
        Delays chosen = switch (speed) {
            case "zero" -> Delays.none();
            case "recorded" -> Delays.recorded();
            case "real" -> Delays.real();
            default ->
                throw new ParameterException(
                        spec.commandLine(), "--speed takes zero, recorded or real, not \"%s\"".formatted(speed));
        };
        try {
            delays.forEach(text -> DelayOption.set(chosen, text));
        } catch (TypeConversionException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        return chosen;
    }
}
