package io.capoa.lab.clusterctl;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The real clusterctl with a local repository and a management cluster. It reads no configuration of the user and makes
 * no requests to the internet.
 *
 * @param program the executable
 * @param repository repository of the providers
 * @param kubeconfig of the management cluster's administrator
 * @param variables variables of templates, passed in its environment
 */
public record Clusterctl(
        Path program, LocalRepository repository, Path kubeconfig, SortedMap<String, String> variables) {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** The pinned version, built if necessary. */
    public static Clusterctl of(Binaries binaries, LocalRepository repository, Path kubeconfig) {
        return new Clusterctl(binaries.require(Tool.CLUSTERCTL), repository, kubeconfig, new TreeMap<>());
    }

    /** The same for another management cluster. */
    public Clusterctl on(Path otherKubeconfig) {
        return new Clusterctl(program, repository, otherKubeconfig, variables);
    }

    /** The same with these variables for templates. */
    public Clusterctl withVariables(Map<String, String> values) {
        return new Clusterctl(program, repository, kubeconfig, new TreeMap<>(values));
    }

    /** Runs a command such as {@code describe cluster multinode}; the caller checks the exit code. */
    public Output run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        command.add("--config=" + repository.configuration());
        Map<String, String> all = new TreeMap<>(variables);
        all.putAll(environment());
        return Output.of(command, all, LIMIT);
    }

    /** Runs {@code init} with core and both providers, and waits until they are available. */
    public Output init(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "init",
                "--core=cluster-api",
                "--bootstrap=openshift-assisted",
                "--control-plane=openshift-assisted",
                "--wait-providers"));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new)).orThrow();
    }

    /** Environment variables to run it by hand in the same way. */
    public Map<String, String> environment() {
        return Map.of(
                "KUBECONFIG",
                kubeconfig.toString(),
                "XDG_CONFIG_HOME",
                repository.folder().resolve("clusterctl-home").toString(),
                "CLUSTERCTL_DISABLE_VERSIONCHECK",
                "true",
                "GOPROXY",
                "off");
    }
}
