package io.capoa.lab.command;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.provider.ProviderInstallation;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command line of {@code ./lab/reload}, which has built the providers before. */
@Command(name = "lab/reload", description = "Restarts the providers of a running lab.")
public final class Reload implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(arity = "0..*")
    private List<String> names = new ArrayList<>();

    @Option(names = "--state")
    private @Nullable Path state;

    @Override
    public Integer call() throws IOException {
        List<Provider> providers = names.isEmpty()
                ? List.of(Provider.values())
                : names.stream().map(this::provider).distinct().toList();
        Path folder = state == null ? ProjectRoot.find().resolve(Up.STATE) : state.toAbsolutePath();
        if (StateLock.holder(folder).isEmpty()) {
            throw new StateConflict("No lab runs with the state folder %s.".formatted(folder));
        }
        // Before the first logger is created, whose configuration reads the property.
        System.setProperty(
                "capoa.lab.log", folder.resolve("logs").resolve("reload.log").toString());
        Path kubeconfig = folder.resolve("kubeconfig");
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(Files.readString(kubeconfig)))
                .build()) {
            restart(client, providers, spec.commandLine().getOut()::println);
        }
        return 0;
    }

    private Provider provider(String name) {
        return Arrays.stream(Provider.values())
                .filter(provider ->
                        provider.module().equals(name) || provider.module().equals(name + "-provider"))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "There is no provider \"%s\", only %s."
                                .formatted(
                                        name,
                                        Arrays.stream(Provider.values())
                                                .map(provider ->
                                                        provider.module().replace("-provider", ""))
                                                .collect(Collectors.joining(" and ")))));
    }

    /**
     * Replaces the pods of the providers, all at once; returns when the new ones are available.
     *
     * @param say receives a line for each provider
     */
    public static void restart(KubernetesClient client, List<Provider> providers, Consumer<String> say) {
        Instant begin = Instant.now();
        for (Provider provider : providers) {
            var unused =
                    ProviderInstallation.deployment(client, provider).rolling().restart();
        }
        for (Provider provider : providers) {
            ProviderInstallation.awaitAvailable(client, provider);
            double seconds = Duration.between(begin, Instant.now()).toMillis() / 1000.0;
            say.accept(String.format(Locale.ROOT, "%s runs again after %.1f s.", provider.module(), seconds));
        }
    }
}
