package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.lab.LabStack;
import io.capoa.lab.Notices;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.image.Images;
import io.capoa.lab.provider.Provider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The images of a release, built without a container engine and run by the lab's node. */
@Tag("e2e")
@NeedsGo
@ExtendWith(BuiltImages.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("its own images")
class BuiltImageTest {

    private static final Path ROOT = ProjectRoot.find();
    private static final String VERSION = RealLab.VERSION;
    /** A training without TLS and reconciles leaves less. */
    private static final long CACHED_PERCENT = 80;

    @TempDir
    private Path folder;

    private final Images images;

    BuiltImageTest(Images images) {
        this.images = images;
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void theConfiguration_isThatOfTheDockerfile(Provider provider) throws IOException {
        JsonNode configuration = images.configuration(provider);

        assertThat(configuration.path("User").asText()).isEqualTo("65532:65532");
        assertThat(configuration.path("WorkingDir").asText()).isEqualTo("/tmp");
        assertThat(configuration.path("Entrypoint"))
                .extracting(JsonNode::asText)
                .startsWith("/app/jre/bin/java", "@/app/jvm.options")
                .endsWith("-jar", "/app/manager.jar");
        assertThat(configuration.path("ExposedPorts").fieldNames())
                .toIterable()
                .containsExactly("8080/tcp", "8081/tcp", "9443/tcp");
        assertThat(configuration.at("/Labels/org.opencontainers.image.version").asText())
                .isEqualTo(VERSION);
        assertThat(configuration.at("/Labels/org.opencontainers.image.revision").asText())
                .matches("[0-9a-f]{40}");
        Path image = images.unpacked(provider).resolve("rootfs");
        assertThat(image.resolve("licenses/LICENSE")).hasSameTextualContentAs(ROOT.resolve("LICENSE"));
        assertThat(Files.readString(image.resolve("sbom/" + provider.module() + ".cdx.json")))
                .contains("\"bomFormat\" : \"CycloneDX\"", "pkg:maven/io.fabric8/kubernetes-client@");
    }

    @Test
    void anotherBuild_withTheSameCache_givesTheSameBytes() throws IOException {
        Images again = Images.build(
                ROOT,
                folder.resolve("again"),
                VERSION,
                "--no-build",
                "--cache",
                images.folder().toString());

        for (Provider provider : Provider.values()) {
            assertThat(Files.mismatch(images.archive(provider), again.archive(provider)))
                    .as(provider.module())
                    .isEqualTo(-1);
        }
    }

    @Test
    void aDamagedArchive_isRefused() throws IOException {
        Images damaged = new Images(ROOT, Files.createDirectories(folder.resolve("damaged")), VERSION);
        byte[] archive = Files.readAllBytes(images.archive(Provider.BOOTSTRAP));
        archive[archive.length / 2] ^= 1;
        Files.write(damaged.archive(Provider.BOOTSTRAP), archive);

        assertThatThrownBy(() -> damaged.unpack(Provider.BOOTSTRAP))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("it is damaged: sha256:");
    }

    /** The node starts them with the ServiceAccounts and rights of the release, and asks their probes. */
    @Test
    void bothManagersBecomeReady_asAnotherUser_onAReadOnlyRoot_withTheTrainedCache() throws IOException {
        Optional<String> obstacle = Images.obstacle();
        obstacle.ifPresent(text -> System.err.printf("SKIPPED: the managers from their images, because %s.%n", text));
        assumeTrue(obstacle.isEmpty(), () -> "skipped because " + obstacle.orElseThrow());
        Path state = Files.createDirectories(folder.resolve("state"));

        try (LocalCluster cluster = LocalCluster.builder().state(state).start();
                LabStack stack = LabStack.start(
                        ManagementCluster.on(cluster),
                        Delays.none(),
                        state,
                        Notices.of(System.err::println),
                        Set.of(),
                        Map.of(),
                        Optional.empty(),
                        provider -> LoadedClasses.logged(images.program(provider, state), classes(state, provider)))) {
            var running = stack.node().running();
            assertThat(running)
                    .extracting("program")
                    .containsExactlyInAnyOrder("bootstrap-provider", "controlplane-provider");
            for (var container : running) {
                Path process = Path.of("/proc", Long.toString(java(container.pid())));
                assertThat(Files.readString(process.resolve("uid_map")).strip()).startsWith("65532 ");
                assertThat(rootOptions(process)).startsWith("ro");
                assertThat(Files.readString(process.resolve("maps"))).contains("/app/manager.aot");
                assertThat(Files.readString(container.log())).doesNotContain("Forbidden", "forbidden");
            }
            SampleCluster.install(cluster, stack, ROOT);
            stop(cluster, stack);
        }
        for (Provider provider : Provider.values()) {
            assertThat(LoadedClasses.cachedPercent(classes(state, provider)))
                    .as("classes of the %s that come from the cache", provider.module())
                    .isGreaterThan(CACHED_PERCENT);
        }
    }

    private static Path classes(Path state, Provider provider) {
        return state.resolve("classes-" + provider.module() + ".log");
    }

    /** Both end in order: they release their leases. */
    private static void stop(LocalCluster cluster, LabStack stack) {
        for (Provider provider : Provider.values()) {
            var unused = cluster.admin()
                    .apps()
                    .deployments()
                    .inNamespace(provider.namespace())
                    .withName(provider.deployment())
                    .scale(0);
        }
        await().until(() -> stack.node().running().isEmpty());
        for (Provider provider : Provider.values()) {
            assertThat(cluster.admin()
                            .leases()
                            .inNamespace(provider.namespace())
                            .list()
                            .getItems())
                    .isNotEmpty()
                    .allSatisfy(lease ->
                            assertThat(lease.getSpec().getHolderIdentity()).isNullOrEmpty());
        }
    }

    /** The program in the sandbox, which bubblewrap has started. */
    private static long java(long sandbox) {
        return ProcessHandle.of(sandbox)
                .orElseThrow()
                .descendants()
                .filter(process -> process.info()
                        .command()
                        .map(name -> name.endsWith("/java"))
                        .orElse(false))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    private static String rootOptions(Path process) throws IOException {
        return Files.readAllLines(process.resolve("mountinfo")).stream()
                .map(line -> List.of(line.split(" ")))
                .filter(fields -> fields.get(4).equals("/"))
                .map(fields -> fields.get(5))
                .findFirst()
                .orElseThrow();
    }
}
