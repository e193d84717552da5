package io.capoa.lab.e2e;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.clusterctl.LocalRepository;
import io.capoa.lab.clusterctl.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The shell of a user who administers a management cluster, with kubectl and clusterctl and a home folder of its own. */
final class UserShell {

    private static final Duration LIMIT = Duration.ofMinutes(6);

    private final Path home;
    private final Map<String, String> environment;
    private final List<String> exports = new ArrayList<>();

    UserShell(Path home, Binaries binaries, LocalCluster cluster) throws IOException {
        this(home, binaries, cluster, List.of(Tool.KUBECTL, Tool.CLUSTERCTL));
    }

    /** With these programs only. */
    UserShell(Path home, Binaries binaries, LocalCluster cluster, List<Tool> tools) throws IOException {
        this.home = home;
        Path programs = Files.createDirectories(home.resolve("bin"));
        for (Tool tool : tools) {
            Files.writeString(
                            programs.resolve(tool.executable()),
                            "#!/bin/sh\nexec %s \"$@\"\n".formatted(binaries.require(tool)))
                    .toFile()
                    .setExecutable(true);
        }
        environment = Map.of(
                "HOME", home.toString(),
                "XDG_CONFIG_HOME", home.resolve(".config").toString(),
                "PATH", programs + ":" + System.getenv("PATH"),
                "KUBECTL", binaries.require(Tool.KUBECTL).toString(),
                "KUBECONFIG", cluster.adminKubeconfig().toString(),
                "CLUSTERCTL_DISABLE_VERSIONCHECK", "true",
                "GOPROXY", "off");
    }

    /** Runs it in the home folder; variables that it exports remain for later commands. */
    Output run(String command) {
        System.err.println("$ " + command.lines().findFirst().orElse(""));
        String script = "set -eu\ncd " + home + "\n" + String.join("\n", exports) + "\n" + command;
        if (command.startsWith("export ")) {
            exports.add(command);
        }
        return Output.of(List.of("bash", "-c", script), environment, LIMIT).orThrow();
    }

    /** Adds Cluster API core, which clusterctl otherwise gets from the internet, to a configuration file of clusterctl. */
    void addCore(LocalRepository repository, String file) throws IOException {
        Path configuration = home.resolve(file);
        String present = Files.readString(configuration);
        String item = present.lines()
                .filter(line -> line.stripLeading().startsWith("- name: "))
                .findFirst()
                .orElseThrow();
        String core = Files.readAllLines(repository.configuration()).stream()
                .dropWhile(line -> !line.equals("- name: cluster-api"))
                .limit(3)
                .map(line -> item.substring(0, item.indexOf('-')) + line + "\n")
                .collect(Collectors.joining());
        Files.writeString(configuration, present + core);
    }
}
