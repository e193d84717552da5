package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Which cluster {@code lab/dashboard} shows: as kubectl finds it. */
class DashboardTest {

    @TempDir
    private Path home;

    @Test
    void theFlag_beforeTheVariable_beforeTheDefault() throws IOException {
        Path flag = kubeconfig(home.resolve("flag"), "flag");
        Path variable = kubeconfig(home.resolve("variable"), "variable");
        kubeconfig(home.resolve(".kube/config"), "default");

        assertThat(server(variable.toString(), "--kubeconfig", flag.toString()))
                .isEqualTo("https://flag.example:6443/");
        assertThat(server(home.resolve("absent") + ":" + variable)).isEqualTo("https://variable.example:6443/");
        assertThat(server(null)).isEqualTo("https://default.example:6443/");
        assertThat(server("")).isEqualTo("https://default.example:6443/");
    }

    @Test
    void noKubeconfig_isNamedWithWhereItWasLookedFor() {
        assertThatThrownBy(() -> server(null))
                .isInstanceOf(ParameterException.class)
                .hasMessage(
                        "There is no kubeconfig at %s/.kube/config (from the default). Name one with --kubeconfig FILE.",
                        home);
        assertThatThrownBy(() -> server("/absent/a:/absent/b"))
                .isInstanceOf(ParameterException.class)
                .hasMessageStartingWith("There is no kubeconfig at /absent/a, /absent/b (from $KUBECONFIG).");
    }

    private String server(@Nullable String variable, String... args) {
        CommandLine line = Dashboard.commandLine();
        line.parseArgs(args);
        return ((Dashboard) line.getCommand()).config(variable, home).getMasterUrl();
    }

    private static Path kubeconfig(Path file, String name) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "https://%s.example:6443"}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """.formatted(name));
    }
}
