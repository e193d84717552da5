package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.lab.steady.SetClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said while Go builds, and what a build that is interrupted leaves. */
class BinarySupplyTest {

    private static final EnumSet<Tool> ALL =
            EnumSet.of(Tool.ETCD, Tool.KUBE_APISERVER, Tool.KUBE_CONTROLLER_MANAGER, Tool.KUBECTL);

    /** Writes the API server, then waits for a signal before the others. */
    private static final String GO_THAT_WAITS = """
        case "$*" in
          *kube-apiserver*)
            program kube-apiserver
            while [ ! -e $here/go-on ]; do sleep 0.05; done
            program kube-controller-manager
            program kubectl ;;
          *) program etcd ;;
        esac
        """;

    @TempDir
    private Path folder;

    private SupplyFixture fixture;

    @BeforeEach
    void prepare() throws IOException {
        fixture = new SupplyFixture(folder);
    }

    @Test
    void onAnEmptyCache_oneStreamSaysBeforehandWhatIsBuilt_andThenEachProgramWithItsTime() throws IOException {
        fixture.go(GO_THAT_WAITS);
        fixture.listener = line -> {
            if (line.contains("built kube-apiserver")) {
                fixture.clock.advance(Duration.ofSeconds(75));
            } else if (line.contains("1 min 15 s of")) {
                create(fixture.signal("go-on"));
            }
        };

        assertThat(fixture.withGo(Optional.empty()).provide(ALL)).isEmpty();

        assertThat(fixture.said)
                .containsExactly(
                        "Not downloaded: lab/binaries/checksums.tsv pins no release of etcd, kube-apiserver,"
                                + " kube-controller-manager and kubectl for linux-amd64.",
                        "Building 4 programs with Go once, about 4 min on 2 idle cores; later starts take seconds: etcd, kube-apiserver, kube-controller-manager and kubectl.",
                        "[1/4] building etcd v3.2.1 with Go",
                        "[1/4] built etcd in 0 s",
                        "[2/4] building kube-apiserver, kube-controller-manager and kubectl v1.2.3 with Go",
                        "[2/4] built kube-apiserver in 0 s",
                        "[3/4] building kube-controller-manager and kubectl: 1 min 15 s of about 1 min on an idle"
                                + " machine",
                        "[3/4] built kube-controller-manager in 1 min 15 s",
                        "[4/4] built kubectl in 0 s");
        assertThat(ALL)
                .allSatisfy(tool -> assertThat(fixture.cache.fileOf(tool)).isExecutable());
    }

    @Test
    void programsOfOneRecipe_areBuiltByOneCommand_inTheFolderOfTheRecipe() throws IOException {
        assertThat(fixture.withGo(Optional.empty()).provide(ALL)).isEmpty();

        assertThat(fixture.goCalls())
                .satisfiesExactly(
                        etcd -> assertThat(etcd)
                                .startsWith(fixture.root + "/lab/binaries/etcd build ")
                                .endsWith(" ."),
                        kubernetes -> assertThat(kubernetes)
                                .startsWith(fixture.root + "/lab/binaries/kubernetes build ")
                                .contains("-X k8s.io/component-base/version.gitVersion=v1.2.3")
                                .endsWith(" k8s.io/kubernetes/cmd/kube-apiserver"
                                        + " k8s.io/kubernetes/cmd/kube-controller-manager"
                                        + " k8s.io/kubernetes/cmd/kubectl"));
    }

    @Test
    void anInterruptedBuild_keepsWhatIsLinked_andTheNextStartBuildsOnlyTheRest() throws Exception {
        fixture.go(GO_THAT_WAITS);
        Thread start = Thread.currentThread();
        fixture.listener = line -> {
            if (line.contains("built kube-apiserver")) {
                start.interrupt();
            }
        };
        BinarySupply supply = fixture.withGo(Optional.empty());

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> supply.provide(Tool.CONTROL_PLANE))
                .withMessageContaining("Interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(fixture.cache.get(Tool.ETCD)).isPresent();
        assertThat(fixture.cache.get(Tool.KUBE_APISERVER)).isPresent();
        assertThat(fixture.cache.get(Tool.KUBE_CONTROLLER_MANAGER)).isEmpty();

        fixture.go(SupplyFixture.QUICK_GO);
        assertThat(fixture.withGo(Optional.empty()).provide(Tool.CONTROL_PLANE)).isEmpty();

        assertThat(fixture.goCalls()).hasSize(3);
        assertThat(fixture.goCalls().getLast())
                .endsWith(" k8s.io/kubernetes/cmd/kube-controller-manager")
                .doesNotContain("kube-apiserver");
        assertThat(fixture.said).contains("[1/1] built kube-controller-manager in 0 s");
        try (Stream<Path> files =
                Files.list(fixture.cache.fileOf(Tool.KUBE_APISERVER).getParent())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("kube-apiserver", "kube-controller-manager")
                    .noneMatch(name -> name.endsWith(".log"));
        }
    }

    @Test
    void aFailedBuild_namesWhatIsMissing_andQuotesGo() throws IOException {
        fixture.go("program kube-apiserver; echo 'no space left on device' >&2; exit 1");

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> fixture.withGo(Optional.empty())
                        .provide(EnumSet.of(Tool.KUBE_APISERVER, Tool.KUBE_CONTROLLER_MANAGER)))
                .withMessageContaining("Cannot build kube-controller-manager. go build ended with exit code 1")
                .withMessageContaining("no space left on device")
                .withMessageContaining("module proxy");
        assertThat(fixture.cache.get(Tool.KUBE_APISERVER)).isPresent();
    }

    @Test
    void whenAllIsThere_nothingIsSaid() {
        assertThat(fixture.withGo(Optional.empty()).provide(ALL)).isEmpty();
        fixture.said.clear();

        assertThat(fixture.withGo(Optional.empty()).provide(ALL)).isEmpty();

        assertThat(fixture.said).isEmpty();
    }

    @Test
    void whileAnotherProcessMakesPrograms_saysThatItWaits_andForHowLong() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        fixture.root.toString(),
                        fixture.environment().get("XDG_CACHE_HOME"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.getInputStream().read()).isEqualTo('h');
            fixture.listener = line -> {
                if (line.endsWith(" …")) {
                    fixture.clock.advance(Duration.ofSeconds(20));
                } else if (line.endsWith("20 s so far")) {
                    fixture.clock.advance(Duration.ofSeconds(100));
                } else if (line.endsWith("2 min 0 s so far")) {
                    close(other);
                }
            };

            assertThat(fixture.withGo(Optional.empty()).provide(EnumSet.of(Tool.ETCD)))
                    .isEmpty();

            String waiting = "Waiting for process %d, which builds or downloads programs into %s"
                    .formatted(other.pid(), folder.resolve("cache/capoa/bin"));
            assertThat(fixture.said)
                    .startsWith(waiting + " …", waiting + ": 20 s so far", waiting + ": 2 min 0 s so far")
                    .endsWith("[1/1] built etcd in 0 s");
        } finally {
            other.destroy();
        }
    }

    /** Another process that makes programs, until its standard input ends. */
    static final class LockHolder {

        private LockHolder() {}

        public static void main(String... args) {
            BinaryCache.of(Path.of(args[0]), Map.of("XDG_CACHE_HOME", args[1]))
                    .exclusively(new MakingProgress(new SetClock(), line -> {}), () -> {
                        System.out.print('h');
                        System.out.flush();
                        try {
                            var unused = System.in.read();
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        }
    }

    private static void close(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void create(Path file) {
        try {
            Files.write(file, "".getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
