package io.capoa.controlplane.plan;

import io.capoa.controlplane.plan.PlanFinding.Severity;
import io.capoa.lint.manifest.FileCommand;
import io.capoa.lint.manifest.ManifestFile;
import io.capoa.lint.manifest.TextFiles;
import io.capoa.runtime.connection.ManagementClient;
import io.capoa.runtime.failure.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command line {@code plan}: what an installation will fail at, before a host is taken. */
public final class PlanCommand {

    public static final String NAME = "plan";

    private enum Output {
        text,
        json
    }

    private enum FailOn {
        blocking(Severity.BLOCKING),
        warning(Severity.WARNING),
        unknown(Severity.UNKNOWN);

        private final Severity least;

        FailOn(Severity least) {
            this.least = least;
        }
    }

    @Command(
            name = NAME,
            description = "Says what the installation of a cluster will fail at, before a host is taken.",
            footer = "%nExit code: 0 without blocking findings, 1 with some (see --fail-on), 2 when the command line is"
                    + " wrong, something cannot be read, or there is no cluster to plan.")
    private static final class Options extends FileCommand.HelpOption {

        @Parameters(
                arity = "0..*",
                paramLabel = "FILE",
                description =
                        "The cluster's objects as YAML or JSON, with BareMetalHosts and HardwareData where there are"
                                + " some; - reads standard input. With --kubeconfig they replace those of the management"
                                + " cluster.")
        private List<String> files = new ArrayList<>();

        @Option(
                names = "--kubeconfig",
                paramLabel = "FILE",
                description = "Reads the objects of a management cluster too; nothing is written.")
        private @Nullable Path kubeconfig;

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "Of objects that name none, and of those that are read. Default: that of the kubeconfig's"
                        + " context, else default.")
        private @Nullable String namespace;

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORMAT",
                description = "text or json. Default: text.")
        private Output output = Output.text;

        @Option(
                names = "--fail-on",
                paramLabel = "SEVERITY",
                description = "Exit code 1 already for a finding of this severity: blocking, warning or unknown."
                        + " Default: blocking.")
        private FailOn failOn = FailOn.blocking;

        @Option(names = "--resolve", description = "Looks the cluster's DNS names up, in the DNS of this machine.")
        private boolean resolve;
    }

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    public PlanCommand(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /** Main method of the plan's own jar. */
    public static void main(String... args) {
        System.exit(new PlanCommand(System.in, System.out, System.err).execute(List.of(args)));
    }

    /**
     * Plans and prints.
     *
     * @param args those after the command's name
     * @return the exit code: 0 without blocking findings, 1 with some, 2 if there is nothing that can be planned
     */
    public int execute(List<String> args) {
        Options options = new Options();
        return FileCommand.execute(options, args, () -> plan(options), out, err);
    }

    private int plan(Options options) throws IOException {
        if (options.files.isEmpty() && options.kubeconfig == null) {
            throw new IOException("Nothing to plan: give FILE, --kubeconfig, or both");
        }
        List<ManifestFile> files = TextFiles.read(options.files, in);
        PlanInput input;
        try {
            input = input(options, files);
        } catch (StartFailure | KubernetesClientException e) {
            throw new IOException("The management cluster cannot be read: " + e.getMessage(), e);
        }
        return print(PlanResult.of(input, options.resolve ? PlanCommand::addresses : null), options);
    }

    private static PlanInput input(Options options, List<ManifestFile> files) {
        if (options.kubeconfig == null) {
            return PlanInput.of(files, Optional.ofNullable(options.namespace).orElse("default"));
        }
        try (KubernetesClient client = ManagementClient.create(
                Optional.of(options.kubeconfig), "capoa-plan", "capoa-plan", new SimpleMeterRegistry(), () -> false)) {
            String namespace = Optional.ofNullable(options.namespace)
                    .or(() -> Optional.ofNullable(client.getNamespace()))
                    .orElse("default");
            PlanInput input = ClusterObjects.read(client, namespace);
            input.add(files, namespace);
            return input;
        }
    }

    private int print(PlanResult result, Options options) throws IOException {
        out.print(options.output == Output.json ? result.json() + "\n" : result.text());
        boolean failed = Arrays.stream(Severity.values())
                .filter(severity -> severity.compareTo(options.failOn.least) <= 0)
                .anyMatch(severity -> result.count(severity) > 0);
        if (failed) {
            return FileCommand.FOUND;
        }
        if (result.clusters().isEmpty()) {
            throw new IOException(
                    "There is no Cluster whose spec.controlPlaneRef names an OpenshiftAssistedControlPlane; one with"
                            + " a topology has it once it is created");
        }
        return FileCommand.CLEAN;
    }

    private static List<String> addresses(String name) {
        try {
            return Arrays.stream(InetAddress.getAllByName(name))
                    .map(InetAddress::getHostAddress)
                    .toList();
        } catch (UnknownHostException e) {
            return List.of();
        }
    }
}
