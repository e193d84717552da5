package io.capoa.lab.command;

import io.capoa.lab.LabNamespace;
import io.capoa.lab.cluster.ChildProcess;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.conformance.ConformanceRun;
import io.capoa.lab.conformance.ProviderDescriptions;
import io.capoa.lab.conformance.ProviderUnderTest;
import io.capoa.lab.conformance.Verdict;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.progress.Clusters;
import io.capoa.lab.progress.PlainView;
import io.capoa.lab.progress.View;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command line of {@code ./lab/conformance}. */
@Command(
        name = "lab/conformance",
        sortOptions = false,
        description = {
            "Checks infrastructure providers against the contract (docs/onboarding-infrastructure.md): starts the lab,"
                    + " installs a cluster on each provider in turn, and lists each rule that it breaks, with the object"
                    + " and the remedy.",
            ""
        },
        footer = {
            "",
            "Exit code: 0 when all providers obey the contract, 1 when one breaks it or the lab fails, 2 when the command"
                    + " line or a description is invalid, 3 when another lab runs with the state folder, 130 after Ctrl-C."
        })
public final class Conformance implements Callable<Integer> {

    private static final Path STATE = Path.of("lab", "target", "conformance");

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(
            paramLabel = "PROVIDER",
            arity = "0..*",
            description =
                    "The YAML file that describes a provider; or one of the lab: metal3, lab-cloud. Default: these"
                            + " two.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--crds",
            paramLabel = "DIR",
            description = "Folder with the publishers' CRDs of Cluster API, Metal3, assisted-service and Hive."
                    + " Default: the lab's own reduced schemas.")
    private @Nullable Path crds;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "Folder for kubeconfig, logs and audit log. Default: lab/target/conformance.")
    private @Nullable Path state;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this text and exit.")
    @SuppressWarnings("UnusedVariable")
    private boolean help;

    @Override
    public Integer call() {
        if (crds != null && !Files.isDirectory(crds)) {
            throw new ParameterException(
                    spec.commandLine(), "--crds takes a folder; there is none at %s".formatted(crds));
        }
        Path root = ProjectRoot.find();
        List<ProviderUnderTest> providers =
                providers(new ProviderDescriptions(root, Path.of("").toAbsolutePath()));
        Path folder = state == null ? root.resolve(STATE) : state.toAbsolutePath();
        // Before the first logger is created, whose configuration reads the property.
        System.setProperty(
                "capoa.lab.log", folder.resolve("logs").resolve("lab.log").toString());
        Settings settings = new Settings(
                root,
                List.of(),
                folder,
                new Settings.Scale(1, OptionalInt.empty(), 0, false),
                new Settings.Ending(true, false, Optional.empty(), Optional.empty()),
                Delays.none(),
                new Settings.Server(
                        Optional.ofNullable(crds), OptionalInt.empty(), OptionalInt.empty(), false, Map.of()),
                PeerSelection.SIMULATED);
        PlainView view = new PlainView(System.out);
        HeldLab held = new HeldLab(settings, view);
        AtomicReference<ChildProcess.@Nullable Exit> died = new AtomicReference<>();
        try (view;
                held) {
            RunningLab lab = held.start(died::set);
            boolean all = check(providers, lab, view, folder.resolve("logs"));
            ChildProcess.Exit exit = died.get();
            if (exit != null) {
                throw new ClusterException(exit.describe());
            }
            return all ? 0 : ExitCode.FAILED;
        }
    }

    /** Whether all of them obey the contract; each in a namespace of its own. */
    private static boolean check(List<ProviderUnderTest> providers, RunningLab lab, View view, Path logs) {
        boolean all = true;
        try (Clusters clusters = new Clusters(lab.cluster().admin())) {
            clusters.start();
            for (int i = 0; i < providers.size(); i++) {
                ProviderUnderTest provider = providers.get(i);
                String namespace = "conformance-" + (i + 1);
                Namespace unused = lab.cluster()
                        .admin()
                        .resource(new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(namespace)
                                .endMetadata()
                                .build())
                        .create();
                lab.peers().rack(namespace, provider.hosts());
                Verdict verdict = ConformanceRun.of(
                        provider,
                        new LabNamespace(lab.cluster(), lab.peers(), clusters, namespace),
                        logs.resolve("provider-%d.log".formatted(i + 1)),
                        view::say);
                view.say(verdict.toString());
                all &= verdict.breaches().isEmpty();
            }
        }
        return all;
    }

    private List<ProviderUnderTest> providers(ProviderDescriptions descriptions) {
        try {
            return names.isEmpty()
                    ? descriptions.select("")
                    : names.stream()
                            .flatMap(name -> descriptions.select(name).stream())
                            .toList();
        } catch (ClusterException e) {
            throw new InvalidInput(String.valueOf(e.getMessage()), e);
        }
    }
}
