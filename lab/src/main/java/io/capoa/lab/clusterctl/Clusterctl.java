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
 * The real clusterctl, with a local repository and a cluster to act on. It looks at no file of its user's and asks
 * nobody on the internet.
 *
 * @param program the executable
 * @param repository where providers come from
 * @param kubeconfig of the management cluster's administrator
 * @param variables of templates, in its environment
 */
public record Clusterctl(
        Path program, LocalRepository repository, Path kubeconfig, SortedMap<String, String> variables) {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** The pinned one, built where it is missing. */
    public static Clusterctl of(Binaries binaries, LocalRepository repository, Path kubeconfig) {
        return new Clusterctl(binaries.require(Tool.CLUSTERCTL), repository, kubeconfig, new TreeMap<>());
    }

    /** The same clusterctl on another management cluster. */
    public Clusterctl on(Path otherKubeconfig) {
        return new Clusterctl(program, repository, otherKubeconfig, variables);
    }

    /** The same clusterctl with these variables for templates. */
    public Clusterctl withVariables(Map<String, String> values) {
        return new Clusterctl(program, repository, kubeconfig, new TreeMap<>(values));
    }

    /** Runs a command such as {@code describe cluster multinode}; how it ended is the caller's to judge. */
    public Output run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        command.add("--config=" + repository.configuration());
        Map<String, String> all = new TreeMap<>(variables);
        all.putAll(environment());
        return Output.of(command, all, LIMIT);
    }

    /** The installation that this project's documents describe: core and both providers, running when it returns. */
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

    /** What a person needs to run it by hand against the same things. */
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
