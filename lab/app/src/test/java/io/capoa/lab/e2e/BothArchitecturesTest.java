package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Output;
import io.capoa.lab.image.Images;
import io.capoa.lab.provider.Provider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Images for amd64 and arm64 in one archive, with a JDK of the other architecture that cannot run here. */
@Tag("e2e")
@NeedsGo
@ExtendWith(BuiltImages.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("images of both architectures")
class BothArchitecturesTest {

    private static final Path ROOT = ProjectRoot.find();
    private static final String VERSION = RealLab.VERSION;
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static final String OTHER = StandInJdk.ARCHITECTURE;
    private static final String HERE = OTHER.equals("arm64") ? "amd64" : "arm64";

    @TempDir
    private static Path folder;

    private static Path jdk;
    private static Images both;

    private final Images images;

    BothArchitecturesTest(Images images) {
        this.images = images;
    }

    @BeforeAll
    static void build(Images images) throws IOException {
        jdk = StandInJdk.write(folder.resolve("jdk"));
        Path base = Files.createDirectories(folder.resolve("base/etc"));
        Files.writeString(base.resolve("architecture"), OTHER);
        both = new Images(ROOT, folder.resolve("both"), VERSION);
        Output built = oci("amd64,arm64", both.folder(), "--cache", "" + images.folder());
        assertThat(built.code()).as(built.all()).isZero();
        assertThat(built.messages())
                .contains("bootstrap-provider for %s has no AOT cache, because %s/bin/java".formatted(OTHER, jdk));
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void oneIndex_hasAnImageForEach_andThatOfThisMachineIsTheSameAsAlone(Provider provider) throws IOException {
        Map<String, JsonNode> manifests = manifests(both, provider);

        assertThat(manifests).containsOnlyKeys("linux/amd64", "linux/arm64");
        JsonNode here = manifests.get("linux/" + HERE);
        assertThat(here).isEqualTo(manifests(images, provider).get("linux/" + HERE));
        // Base, runtime and program; the cache, which is trained on its architecture, is the fourth layer.
        assertThat(here.path("layers")).hasSize(4);
        JsonNode other = manifests.get("linux/" + OTHER);
        assertThat(other.path("layers")).hasSize(3);
        assertThat(other.at("/layers/1")).isNotEqualTo(here.at("/layers/1"));
        assertThat(other.at("/layers/2")).isEqualTo(here.at("/layers/2"));
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void theOther_hasTheRuntimeAndBaseOfItsArchitecture_andNoCacheNorAnOptionForIt(Provider provider)
            throws IOException {
        Path image = folder.resolve(OTHER).resolve(provider.module());
        Output.of(
                        List.of(
                                ROOT.resolve("config/image/unpack").toString(),
                                both.archive(provider).toString(),
                                OTHER,
                                image.toString()),
                        Map.of(),
                        LIMIT)
                .orThrow();

        Path root = image.resolve("rootfs");
        assertThat(StandInJdk.architecture(root.resolve("app/jre/bin/java"))).isEqualTo(OTHER);
        assertThat(StandInJdk.architecture(root.resolve("app/jre/lib/server/libjvm.so")))
                .isEqualTo(OTHER);
        assertThat(root.resolve("app/jre/conf/stand-in.properties")).exists();
        assertThat(root.resolve("etc/architecture")).hasContent(OTHER);
        assertThat(root.resolve("app/manager.aot")).doesNotExist();
        JsonNode configuration =
                new ObjectMapper().readTree(image.resolve("config.json").toFile());
        assertThat(configuration.path("architecture").asText()).isEqualTo(OTHER);
        assertThat(configuration.at("/config/Entrypoint"))
                .extracting(JsonNode::asText)
                .containsExactly("/app/jre/bin/java", "@/app/jvm.options", "-jar", "/app/manager.jar");
    }

    /** Such as modules that were unpacked into the wrong folder. */
    @Test
    void modulesOfAnotherArchitecture_areRefused() throws IOException {
        StandInJdk.mark(jdk, HERE);

        Output built = oci(OTHER, folder.resolve("refused"));

        assertThat(built.code()).isEqualTo(2);
        assertThat(built.messages()).contains("The Java runtime in %s is not for %s.".formatted(jdk, OTHER));
        assertThat(folder.resolve("refused")).isEmptyDirectory();
    }

    private static Output oci(String architectures, Path out, String... options) {
        List<String> command = new ArrayList<>(List.of("" + ROOT.resolve("config/image/oci"), "--no-build"));
        command.addAll(List.of("--version", VERSION, "--arch", architectures, "--out", out.toString()));
        command.addAll(List.of(options));
        String variables = OTHER.toUpperCase(Locale.ROOT);
        return Output.of(
                command,
                Map.of("CAPOA_JDK_" + variables, "" + jdk, "CAPOA_BASE_" + variables, "" + folder.resolve("base")),
                LIMIT);
    }

    /** By platform, from the index that the archive's index names. */
    private static Map<String, JsonNode> manifests(Images images, Provider provider) throws IOException {
        Path layout = Files.createTempDirectory(folder, provider.module());
        Output.of(List.of("tar", "-xf", "" + images.archive(provider), "-C", "" + layout), Map.of(), LIMIT)
                .orThrow();
        Map<String, JsonNode> manifests = new TreeMap<>();
        JsonNode index =
                new ObjectMapper().readTree(layout.resolve("index.json").toFile());
        for (JsonNode manifest : blob(layout, index.at("/manifests/0")).path("manifests")) {
            JsonNode platform = manifest.path("platform");
            manifests.put(
                    platform.path("os").asText() + "/"
                            + platform.path("architecture").asText(),
                    blob(layout, manifest));
        }
        return manifests;
    }

    private static JsonNode blob(Path layout, JsonNode descriptor) throws IOException {
        String digest = descriptor.path("digest").asText().replace(':', '/');
        return new ObjectMapper()
                .readTree(layout.resolve("blobs").resolve(digest).toFile());
    }
}
