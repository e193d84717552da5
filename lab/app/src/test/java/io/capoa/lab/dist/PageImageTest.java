package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.clusterctl.Output;
import io.capoa.lab.command.Dashboard;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Content of the page's image, built by the script of its Dockerfile without a container engine. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class PageImageTest {

    private static final Pattern ENTRY_POINT = Pattern.compile("ENTRYPOINT \\[(.*)]");

    @TempDir
    private Path folder;

    @Test
    void theEntryPoint_servesTheCluster_onTheRuntimeOfItsOwn_andWritesNoFile(TestCluster cluster) throws IOException {
        Path root = ProjectRoot.find();
        Path checkout = folder.resolve("checkout");
        for (String file : List.of("config/image/assemble", "config/jvm.options")) {
            Files.createDirectories(checkout.resolve(file).getParent());
            Files.copy(root.resolve(file), checkout.resolve(file));
        }
        pack(checkout.resolve("lab/app/target"));
        Path app = folder.resolve("app");
        Output.of(
                        List.of(checkout.resolve("config/image/assemble").toString(), "page", app.toString()),
                        Map.of("JAVA_HOME", System.getProperty("java.home")),
                        Duration.ofMinutes(10))
                .orThrow();
        PagePod.install(cluster);
        Path run = Files.createDirectory(folder.resolve("run"));
        Path temporary = Files.createDirectory(folder.resolve("tmp"));

        try (PagePod pod = PagePod.start(cluster, run, entryPoint(root, app, temporary))) {
            await().atMost(PagePod.SOON)
                    .untilAsserted(() -> assertThat(pod.get("state")).startsWith("{\"stale\":"));
            assertThat(pod.get("")).contains("<title>");
            assertThat(pod.log()).doesNotContain("ERROR", "WARN", "Exception");
        }
        assertThat(temporary).isEmptyDirectory();
        try (Stream<Path> files = Files.list(run)) {
            assertThat(files.map(file -> file.getFileName().toString())).isSubsetOf("token", "ca.crt", "page.log");
        }
    }

    private static List<String> entryPoint(Path root, Path app, Path temporary) throws IOException {
        Matcher matcher = ENTRY_POINT.matcher(Files.readString(root.resolve("Dockerfile.page")));
        assertThat(matcher.find()).isTrue();
        List<String> words = new ArrayList<>(Pattern.compile(", ")
                .splitAsStream(matcher.group(1))
                .map(word -> word.substring(1, word.length() - 1).replace("/app/", app + "/"))
                .toList());
        words.add(2, "-Djava.io.tmpdir=" + temporary);
        return words;
    }

    /** The jar of this module, as Maven packages it after the tests, and the libraries, where they are not jars yet. */
    private static void pack(Path target) throws IOException {
        Path lib = Files.createDirectories(target.resolve("lib"));
        Path own = Path.of(Dashboard.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        List<String> names = new ArrayList<>();
        for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(element).toAbsolutePath();
            if (path.equals(own) || path.endsWith("test-classes") || !Files.exists(path)) {
                continue;
            }
            if (Files.isDirectory(path)) {
                String name = names.size() + ".jar";
                jar("--create", "--file", lib.resolve(name).toString(), "-C", path.toString(), ".");
                names.add("lib/" + name);
            } else {
                names.add(path.toUri().toString());
            }
        }
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, String.join(" ", names));
        Path text = target.resolve("MANIFEST.MF");
        try (OutputStream out = Files.newOutputStream(text)) {
            manifest.write(out);
        }
        jar(
                "--create",
                "--file",
                target.resolve("lab.jar").toString(),
                "--manifest",
                text.toString(),
                "-C",
                own.toString(),
                ".");
    }

    private static void jar(String... arguments) {
        assertThat(ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, arguments))
                .isZero();
    }
}
