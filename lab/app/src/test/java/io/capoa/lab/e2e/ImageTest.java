package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.image.Images;
import io.capoa.lab.provider.Provider;
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
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Content of an image, built by the script of the Dockerfiles without a container engine. */
@Tag("e2e")
@ExtendWith(BuiltImages.class)
class ImageTest {

    private static final Pattern ENTRY_POINT = Pattern.compile("ENTRYPOINT \\[(.*)]");

    private final Images images;

    ImageTest(Images images) {
        this.images = images;
    }

    /** The training run of the build verifies that the manager becomes ready on this runtime. */
    @ParameterizedTest
    @EnumSource(Provider.class)
    void theEntryPoint_runsOnTheRuntimeOfItsOwn_withTheTrainedCache_alsoInAnotherFolder(Provider provider)
            throws Exception {
        Path app = images.unpacked(provider).resolve("rootfs/app");

        String image = provider.module().replace("-provider", "");
        List<String> command = new ArrayList<>(entryPoint(image, app));
        // An invalid cache is an error, not only a log line.
        command.add(1, "-XX:AOTMode=on");
        command.add("--version");
        Ended version = run(command);

        assertThat(version.code()).as(version.said()).isZero();
        assertThat(version.said()).startsWith("capoa-" + image + "/");
        assertThat(app.resolve("jre/lib/modules").toFile().length()).isLessThan(60_000_000);
    }

    private static List<String> entryPoint(String image, Path app) throws IOException {
        Matcher matcher =
                ENTRY_POINT.matcher(Files.readString(ProjectRoot.find().resolve("Dockerfile." + image)));
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
