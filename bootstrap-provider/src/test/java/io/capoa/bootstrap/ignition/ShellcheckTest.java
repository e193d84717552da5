package io.capoa.bootstrap.ignition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The scripts that run on nodes, as shellcheck sees them; reported as skipped where it is not installed. */
class ShellcheckTest {

    private static final Path SCRIPTS = Path.of("src", "main", "resources", "io", "capoa", "bootstrap", "ignition");

    @Test
    void nodeScriptsAreClean() throws IOException, InterruptedException {
        List<String> scripts;
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            scripts = files.map(Path::toString)
                    .filter(name -> name.endsWith(".sh"))
                    .sorted()
                    .toList();
        }
        assertThat(scripts).isNotEmpty();
        Optional<String> shellcheck = shellcheck();
        assumeTrue(
                shellcheck.isPresent(),
                "shellcheck is neither installed nor fetched by .ci/shellcheck: the node scripts were not checked");

        List<String> command = new ArrayList<>(List.of(shellcheck.get(), "--shell=bash", "--format=gcc"));
        command.addAll(scripts);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String findings = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(findings).isZero();
    }

    /** The installed one, else the one in the user's cache. */
    private static Optional<String> shellcheck() throws IOException {
        List<Path> folders = new ArrayList<>();
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            folders.add(Path.of(folder));
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path cache = (xdg == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg)).resolve("capoa");
        if (Files.isDirectory(cache)) {
            try (var fetched = Files.newDirectoryStream(cache, "shellcheck-*")) {
                fetched.forEach(folder -> folders.add(folder.resolve("bin")));
            }
        }
        return folders.stream()
                .map(folder -> folder.resolve("shellcheck"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }
}
