package io.capoa.lab.command;

import static java.util.function.Predicate.not;

import io.capoa.lab.page.PageReader;
import io.capoa.lab.page.PageServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows any management cluster on the page. */
@Command(
        name = "lab/dashboard",
        sortOptions = false,
        mixinStandardHelpOptions = false,
        description = "Shows the clusters and hosts of a management cluster on a page for a browser on this machine."
                + " It only reads: list and watch of clusters, Machines, configs, hosts, Agents and Events.")
public final class Dashboard implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the cluster. Default: those of $KUBECONFIG, else ~/.kube/config, else the"
                    + " ServiceAccount of the pod.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Context of the kubeconfig. Default: its current one.")
    private @Nullable String context;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the page on 127.0.0.1. Default: a free one.")
    private int port;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this text and exit.")
    @SuppressWarnings("UnusedVariable")
    private boolean help;

    /** Main method of the page's own jar. */
    public static void main(String... args) {
        System.exit(commandLine()
                .setUsageHelpAutoWidth(true)
                .setExecutionExceptionHandler(ExitCode::explain)
                .execute(args));
    }

    /** The command under its name in messages. */
    public static CommandLine commandLine() {
        return new CommandLine(new Dashboard());
    }

    @Override
    public Integer call() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(config(System.getenv("KUBECONFIG"), Path.of(System.getProperty("user.home"))))
                        .build();
                PageServer page = PageServer.open(new PageReader(client), port)) {
            System.out.println("Page: " + page.address() + " (Ctrl-C ends it)");
            new CountDownLatch(1).await();
        }
        return 0;
    }

    /** As kubectl finds it: the flag, the files of the variable, the file in the home folder, the pod's ServiceAccount. */
    Config config(@Nullable String variable, Path home) {
        String named = variable == null ? "" : variable.strip();
        List<Path> files = kubeconfig != null
                ? List.of(kubeconfig)
                : !named.isEmpty()
                        ? Arrays.stream(named.split(File.pathSeparator))
                                .filter(not(String::isBlank))
                                .map(Path::of)
                                .toList()
                        : List.of(home.resolve(".kube").resolve("config"));
        List<File> readable = files.stream()
                .filter(Files::isReadable)
                .filter(Files::isRegularFile)
                .map(Path::toFile)
                .toList();
        if (readable.isEmpty()) {
            boolean byDefault = kubeconfig == null && named.isEmpty();
            return (byDefault ? ofThePod() : Optional.<Config>empty())
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(),
                            "There is no kubeconfig at %s (from %s). Name one with --kubeconfig FILE."
                                    .formatted(
                                            files.stream().map(Path::toString).collect(Collectors.joining(", ")),
                                            byDefault
                                                    ? "the default"
                                                    : kubeconfig != null ? "--kubeconfig" : "$KUBECONFIG")));
        }
        // The client merges several files of the variable as kubectl does.
        return readable.size() > 1
                ? Config.autoConfigure(context)
                : Config.fromKubeconfig(context, readable.getFirst());
    }

    /** With the token of the ServiceAccount, which the client reads again before it expires; empty outside of a pod. */
    private static Optional<Config> ofThePod() {
        return Optional.of(Config.autoConfigure(null))
                .filter(found -> found.getFile() == null && found.getAutoOAuthToken() != null);
    }
}
