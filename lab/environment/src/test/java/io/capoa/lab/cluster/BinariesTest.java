package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinariesTest {

    private static final Path ROOT = ProjectRoot.find();

    @TempDir
    private Path folder;

    private final List<String> said = new ArrayList<>();

    @Test
    void whenKubebuilderAssetsHasTheProgram_takesItBeforeTheCache() throws IOException {
        Path asset = program(folder.resolve("assets/etcd"));
        program(cache().fileOf(Tool.ETCD));

        assertThat(binaries(Map.of(
                                "KUBEBUILDER_ASSETS", folder.resolve("assets").toString()))
                        .require(Tool.ETCD))
                .isEqualTo(asset);
    }

    @Test
    void whenKubebuilderAssetsLacksTheProgram_takesTheCachedOne() throws IOException {
        program(folder.resolve("assets/etcd"));
        Path cached = program(cache().fileOf(Tool.KUBE_CONTROLLER_MANAGER));

        assertThat(binaries(Map.of(
                                "KUBEBUILDER_ASSETS", folder.resolve("assets").toString()))
                        .find(Tool.KUBE_CONTROLLER_MANAGER))
                .contains(cached);
    }

    @Test
    void whenNothingIsThere_theNextSourceIsAskedAndThenTheErrorSaysWhatToInstall() {
        AtomicInteger asked = new AtomicInteger();
        BinarySource nothing = tool -> {
            asked.incrementAndGet();
            return Optional.empty();
        };

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> new Binaries(List.of(nothing, nothing)).require(Tool.ETCD))
                .withMessageContaining("No etcd");
        assertThat(asked).hasValueGreaterThanOrEqualTo(2);
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> binaries(Map.of("CAPOA_DOWNLOADS", "off")).require(Tool.ETCD))
                .withMessageContaining("etcd")
                .withMessageContaining("KUBEBUILDER_ASSETS")
                .withMessageContaining("CAPOA_DOWNLOADS is off")
                .withMessageContaining("Go is not installed");
    }

    @Test
    void withoutInternetAndGo_saysWhatToDo() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> binaries(Map.of("CAPOA_DOWNLOADS", "http://127.0.0.1:" + port))
                        .require(Tool.KUBECTL))
                .withMessageContaining("cannot be reached")
                .withMessageContaining("Go is not installed")
                .withMessageContaining("KUBEBUILDER_ASSETS");
    }

    @Test
    void withoutTheControllerManager_saysWhatItMeansToGoWithout() {
        assertThat(binaries(Map.of("CAPOA_DOWNLOADS", "off")).find(Tool.KUBE_CONTROLLER_MANAGER))
                .isEmpty();
        assertThat(said.getLast()).contains("without kube-controller-manager", "leave their objects behind");
    }

    @Test
    void aKubectlOnThePath_isUsedForRenderingFromTheFirstVersionWithKustomize5() throws IOException {
        Path kubectl = program(folder.resolve("kubectl"));
        Binaries binaries = binaries(Map.of());

        Files.writeString(kubectl, """
            #!/bin/sh
            echo '{"clientVersion": {"major": "1", "minor": "27+", "gitVersion": "v1.27.3-dispatcher"}}'
            """);
        assertThat(binaries.installedKubectl()).contains(kubectl);
        assertThat(binaries.renderingKubectl()).isEqualTo(kubectl);

        Files.writeString(kubectl, """
            #!/bin/sh
            echo '{"clientVersion": {"major": "1", "minor": "26"}}'
            """);
        assertThat(binaries.installedKubectl()).isEmpty();

        Files.writeString(kubectl, "#!/bin/sh\nexit 1\n");
        assertThat(binaries.installedKubectl()).isEmpty();
    }

    @Test
    void everyPinnedRelease_isOfTheVersionThatTheGoModulesPin() throws IOException {
        List<String[]> lines = Files.readAllLines(ROOT.resolve("lab/binaries/checksums.tsv")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\t", -1))
                .toList();

        assertThat(lines).hasSizeGreaterThanOrEqualTo(8).allSatisfy(cells -> {
            Tool tool = Stream.of(Tool.values())
                    .filter(one -> one.executable().equals(cells[0]))
                    .findFirst()
                    .orElseThrow();
            assertThat(cells[1]).isEqualTo(GoRecipe.of(ROOT, tool).version());
            assertThat(cells[3]).matches("[0-9a-f]{64}");
            assertThat(cells[4])
                    .startsWith("https://")
                    .contains("/" + cells[1] + "/")
                    .containsAnyOf(cells[2], cells[2].replace('-', '/'));
        });
        for (String platform : List.of("linux-amd64", "linux-arm64")) {
            assertThat(EnumSet.of(Tool.ETCD, Tool.KUBE_APISERVER, Tool.KUBE_CONTROLLER_MANAGER, Tool.KUBECTL))
                    .allSatisfy(tool ->
                            assertThat(ReleaseFile.of(ROOT, tool, platform)).isPresent());
        }
        assertThat(ReleaseFile.of(ROOT, Tool.KUBE_APISERVER, "darwin-arm64")).isEmpty();
    }

    @Test
    void whenTheRecipeNamesAVersion_theLinkerGetsTheSame() {
        GoRecipe recipe = GoRecipe.of(ROOT, Tool.KUBE_APISERVER);

        assertThat(recipe.version()).matches("v1\\.\\d+\\.\\d+");
        assertThat(recipe.linkerFlags(Tool.KUBE_APISERVER)).contains("gitVersion=" + recipe.version());
        assertThat(recipe.cacheName()).startsWith(recipe.version() + "-");
    }

    @Test
    void whenMakingIsInterrupted_nothingIncompleteIsUsedAndTheNextMakesItAgain() {
        BinaryCache cache = cache();
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> cache.make(Tool.ETCD, half -> {
                    Files.writeString(half, "half a progr");
                    throw new IOException("No space left on device");
                }))
                .withMessageContaining("No space left on device")
                .withMessageContaining("XDG_CACHE_HOME");
        assertThat(cache.get(Tool.ETCD)).isEmpty();
        AtomicInteger made = new AtomicInteger();

        Path first = cache.make(Tool.ETCD, half -> write(half, made));
        Path second = cache.make(Tool.ETCD, half -> write(half, made));

        assertThat(second).isEqualTo(first).hasContent("whole").isExecutable();
        assertThat(made).hasValue(1);
    }

    @Test
    void whenTheCacheFolderCannotBeMade_saysWhichAndWhatToDo() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> BinaryCache.of(ROOT, Map.of("XDG_CACHE_HOME", file.toString()))
                        .make(Tool.ETCD, half -> Files.writeString(half, "")))
                .withMessageContaining(file.toString())
                .withMessageContaining("XDG_CACHE_HOME");
    }

    private static void write(Path file, AtomicInteger made) throws IOException {
        Files.writeString(file, "whole");
        made.incrementAndGet();
    }

    private BinaryCache cache() {
        return BinaryCache.of(
                ROOT, Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()));
    }

    private Binaries binaries(Map<String, String> more) {
        Map<String, String> environment = new TreeMap<>(more);
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        environment.put("PATH", folder.toString());
        return Binaries.of(ROOT, environment, said::add);
    }

    private static Path program(Path file) throws IOException {
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, "#!/bin/sh\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
