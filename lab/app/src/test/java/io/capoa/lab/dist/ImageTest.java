package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content of an image, built by the script of the Dockerfiles without a container engine. */
@Tag("full")
class ImageTest {

    private static final Pattern ENTRY_POINT = Pattern.compile("ENTRYPOINT \\[(.*)]");

    @TempDir
    private Path folder;

    /** The training run of the script verifies that the manager becomes ready on this runtime. */
    @ParameterizedTest
    @ValueSource(strings = {"bootstrap", "controlplane"})
    void theEntryPoint_runsOnTheRuntimeOfItsOwn_withTheTrainedCache_alsoInAnotherFolder(String provider)
            throws Exception {
        Path root = ProjectRoot.find();
        Ended assembled = run(List.of(
                root.resolve("config/image/assemble").toString(),
                provider,
                folder.resolve("built").toString()));
        assertThat(assembled.code()).as(assembled.said()).isZero();
        Path app = Files.move(folder.resolve("built"), folder.resolve("app"));

        List<String> command = new ArrayList<>(entryPoint(root, provider, app));
        // An invalid cache is an error, not only a log line.
        command.add(1, "-XX:AOTMode=on");
        command.add("--version");
        Ended version = run(command);

        assertThat(version.code()).as(version.said()).isZero();
        assertThat(version.said()).startsWith("capoa-" + provider + "/");
        assertThat(app.resolve("jre/lib/modules").toFile().length()).isLessThan(60_000_000);
    }

    private static List<String> entryPoint(Path root, String provider, Path app) throws IOException {
        Matcher matcher = ENTRY_POINT.matcher(Files.readString(root.resolve("Dockerfile." + provider)));
        assertThat(matcher.find()).isTrue();
        return Pattern.compile(", ")
                .splitAsStream(matcher.group(1))
                .map(word -> word.substring(1, word.length() - 1).replace("/app/", app + "/"))
                .toList();
    }

    private record Ended(int code, String said) {}

    private static Ended run(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        return new Ended(process.exitValue(), said);
    }
}
