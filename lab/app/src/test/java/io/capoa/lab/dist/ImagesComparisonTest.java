package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code .ci/images --compare} takes for the same image, in a small checkout with stand-ins for the container engine
 * and {@code config/image}. Where a container engine runs, continuous integration compares the real ones.
 */
class ImagesComparisonTest {

    private static final String CONFIGURATION = """
            {"User": "65532:65532", "WorkingDir": "/tmp", "Entrypoint": ["/app/jre/bin/java"],
             "ExposedPorts": {"9443/tcp": {}}, "Labels": {"org.opencontainers.image.version": "v0.2.0"%s}}
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void writesACheckout() throws IOException {
        for (String file : List.of(
                ".ci/images", ".ci/lib.sh", "Dockerfile.bootstrap", "Dockerfile.controlplane", "Dockerfile.page")) {
            write("checkout/" + file, Files.readString(ProjectRoot.find().resolve(file)));
        }
        write("checkout/pom.xml", "  <version>0.2.0-SNAPSHOT</version>\n");
        // Of the image that is unpacked, whichever it is.
        write("checkout/config/image/unpack", """
                #!/bin/sh
                mkdir -p "$3" && cp -R "$FOLDER/written" "$3/rootfs"
                echo "{\\"config\\": $(cat "$FOLDER/written.json")}" >"$3/config.json"
                """);
        write("checkout/config/image/oci", """
                #!/bin/sh
                cat "$CAPOA_JDK_AMD64$CAPOA_JDK_ARM64/release" "$CAPOA_BASE_AMD64$CAPOA_BASE_ARM64/base"
                """);
        write("bin/git", "#!/bin/sh\necho 1\n");
        write("bin/docker", """
                #!/bin/sh
                case "$1" in
                  info) exit "$ENGINE" ;;
                  create) echo "$2" ;;
                  export)
                    case "$2" in
                      *eclipse-temurin:25-jdk) tar -c -C "$FOLDER/jdk" . ;;
                      *ubi-micro*) tar -c -C "$FOLDER/base" . ;;
                      *) tar -c -C "$FOLDER/built" . ;;
                    esac ;;
                  inspect) cat "$FOLDER/built.json" ;;
                esac
                """);
        write("jdk/opt/java/openjdk/release", "the JDK of the Dockerfiles\n");
        write("base/base", "the base of the Dockerfiles\n");
        for (String image : List.of("built", "written")) {
            write(image + "/app/manager.jar", "program");
            write(image + "/app/manager.aot", "trained for " + image);
            write(image + "/licenses/LICENSE", "Apache");
        }
        write("built.json", CONFIGURATION.formatted(", \"vendor\": \"of the base\""));
        write("written.json", CONFIGURATION.formatted(""));
    }

    @Test
    void imagesWithTheSameFilesAndConfiguration_areTheSame() {
        Output compared = compare(0).orThrow();

        assertThat(compared.text())
                .contains(
                        "the JDK of the Dockerfiles",
                        "the base of the Dockerfiles",
                        "bootstrap-provider: the image of Dockerfile.bootstrap is that of config/image/oci",
                        "controlplane-provider: the image of Dockerfile.controlplane is that of config/image/oci",
                        "page: the image of Dockerfile.page is that of config/image/oci");
    }

    @Test
    void anotherFile_isNamed() throws IOException {
        write("built/app/lib/more.jar", "");

        Output compared = compare(0);

        assertThat(compared.code()).isNotZero();
        assertThat(compared.text()).contains("Only in", "/app: lib").doesNotContain("is that of config/image/oci");
    }

    @Test
    void anotherUser_isNamed() throws IOException {
        write("built.json", CONFIGURATION.formatted("").replace("65532:65532", "root"));

        Output compared = compare(0);

        assertThat(compared.code()).isNotZero();
        assertThat(compared.text()).contains("<   \"User\": \"root\"", ">   \"User\": \"65532:65532\"");
    }

    @Test
    void anImageWithoutACache_isRefused() throws IOException {
        Files.delete(folder.resolve("built/app/manager.aot"));

        Output compared = compare(0);

        assertThat(compared.code()).isEqualTo(2);
        assertThat(compared.messages()).contains("an image has no AOT cache.");
    }

    @Test
    void withoutAContainerEngine_itIsSkipped_withAMessage() {
        Output compared = compare(1).orThrow();

        assertThat(compared.text()).startsWith("SKIPPED: the images").contains("no container engine runs here");
    }

    private Output compare(int engine) {
        return Output.of(
                List.of(folder.resolve("checkout/.ci/images").toString(), "--compare"),
                Map.of(
                        "PATH",
                        folder.resolve("bin") + ":" + System.getenv("PATH"),
                        "FOLDER",
                        folder.toString(),
                        "ENGINE",
                        "" + engine),
                Duration.ofSeconds(30));
    }

    private void write(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
