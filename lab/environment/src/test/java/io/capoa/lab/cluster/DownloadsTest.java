package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a mirror may answer, and that only the pinned file is used. */
class DownloadsTest {

    private static final EnumSet<Tool> CONTROL_PLANE = EnumSet.of(Tool.KUBE_APISERVER, Tool.KUBE_CONTROLLER_MANAGER);
    private static final String PATH = "/publisher.example/release/";

    @TempDir
    private Path folder;

    private SupplyFixture fixture;
    private final HttpServer server;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);

    DownloadsTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    @BeforeEach
    void pin() throws IOException {
        fixture = new SupplyFixture(folder);
        fixture.pin(Tool.KUBE_APISERVER, "an API server");
        fixture.pin(Tool.KUBE_CONTROLLER_MANAGER, "a controller manager");
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.stop(0);
    }

    @Test
    void pinnedReleases_areDownloaded_withoutGo() {
        serve("kube-apiserver", "an API server");
        serve("kube-controller-manager", "a controller manager");

        assertThat(fixture.withoutGo(mirror()).provide(CONTROL_PLANE)).isEmpty();

        assertThat(fixture.cache.get(Tool.KUBE_APISERVER))
                .hasValueSatisfying(file -> assertThat(file).isExecutable().hasContent("an API server"));
        assertThat(fixture.cache.get(Tool.KUBE_CONTROLLER_MANAGER))
                .hasValueSatisfying(file -> assertThat(file).hasContent("a controller manager"));
        assertThat(fixture.said)
                .containsExactly(
                        "Downloading 2 programs once, which takes about a minute; later starts take seconds:"
                                + " kube-apiserver and kube-controller-manager.",
                        "[1/2] downloading kube-apiserver v1.2.3 from 127.0.0.1",
                        "[1/2] downloaded kube-apiserver in 0 s",
                        "[2/2] downloading kube-controller-manager v1.2.3 from 127.0.0.1",
                        "[2/2] downloaded kube-controller-manager in 0 s");
    }

    @Test
    void ofAnArchive_theProgramIsTaken() throws IOException {
        byte[] archive = tarGz(
                "etcd-v3/README.md", "read me", "etcd-v3/PaxHeaders/etcd", "20 mtime=1.5", "etcd-v3/etcd", "a store");
        fixture.pin(Tool.ETCD, "etcd-v3.tar.gz", archive);
        serve("etcd-v3.tar.gz", exchange -> {
            exchange.sendResponseHeaders(200, archive.length);
            exchange.getResponseBody().write(archive);
            exchange.close();
        });

        assertThat(fixture.withoutGo(mirror()).provide(EnumSet.of(Tool.ETCD))).isEmpty();

        Path etcd = fixture.cache.fileOf(Tool.ETCD);
        assertThat(etcd).isExecutable().hasContent("a store");
        try (Stream<Path> files = Files.list(etcd.getParent())) {
            assertThat(files).containsExactly(etcd);
        }
    }

    @Test
    void aLongDownload_saysHowLongItHasLasted_andIsExpectedTo() {
        serve("kube-apiserver", exchange -> {
            exchange.sendResponseHeaders(200, 13);
            exchange.getResponseBody().write("an API".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            fixture.clock.advance(Duration.ofSeconds(20));
            exchange.getResponseBody().write(" server".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });

        assertThat(fixture.withoutGo(mirror()).provide(EnumSet.of(Tool.KUBE_APISERVER)))
                .isEmpty();

        assertThat(fixture.said)
                .anyMatch(line -> line.startsWith("[1/1] downloading kube-apiserver: 0 of 0 MB, 20 s of about "))
                .endsWith("[1/1] downloaded kube-apiserver in 20 s");
        assertThat(new DownloadExpectation(30 << 20, 90 << 20).after(Duration.ofSeconds(50)))
                .isEqualTo("30 of 90 MB, 50 s of about 2 min 30 s");
        assertThat(new DownloadExpectation(30 << 20, -1).after(Duration.ofSeconds(50)))
                .isEqualTo("30 MB, 50 s so far");
    }

    @Test
    void aRedirect_isFollowed() {
        serve("kube-apiserver", exchange -> {
            exchange.getResponseHeaders().add("Location", PATH + "moved");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        serve("moved", "an API server");

        assertThat(fixture.withoutGo(mirror()).provide(EnumSet.of(Tool.KUBE_APISERVER)))
                .isEmpty();

        assertThat(fixture.cache.fileOf(Tool.KUBE_APISERVER)).hasContent("an API server");
        assertThat(requests).containsExactly(PATH + "kube-apiserver", PATH + "moved");
    }

    @Test
    void whenNothingListens_goBuilds_andOneLineSaysWhy() throws IOException {
        Optional<Downloads> mirror = mirror();
        server.stop(0);

        assertBuiltByGo(fixture.withGo(mirror), "127.0.0.1 cannot be reached (ConnectException: Connection refused)");
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 500, 302})
    void whenTheAnswerIsAnError_goBuilds(int status) throws IOException {
        serve("kube-apiserver", exchange -> {
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        serve("kube-controller-manager", "a controller manager");

        assertThat(fixture.withGo(mirror()).provide(CONTROL_PLANE)).isEmpty();

        assertThat(fixture.said)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("[1/2] not downloaded: http://127.0.0.1:")
                        .endsWith("/release/kube-apiserver answered " + status + "."))
                .contains("Building 1 program with Go once, about 2 min on 2 idle cores; later starts take seconds:"
                        + " kube-apiserver.");
        assertThat(fixture.cache.fileOf(Tool.KUBE_APISERVER)).hasContent("kube-apiserver of Go");
        assertThat(fixture.cache.fileOf(Tool.KUBE_CONTROLLER_MANAGER)).hasContent("a controller manager");
    }

    @Test
    void withoutAnAnswer_goBuilds_andNoOtherDownloadIsTried() throws IOException {
        serve("kube-apiserver", exchange -> hang());
        Downloads.Limits impatient = new Downloads.Limits(Duration.ofSeconds(2), Duration.ofMinutes(1), 1 << 16);

        assertBuiltByGo(fixture.withGo(mirror(impatient)), "127.0.0.1 gave no answer within 2 s");
        assertThat(requests).containsExactly(PATH + "kube-apiserver");
    }

    @Test
    void whenTheConnectionIsCut_goBuilds() throws IOException {
        serve("kube-apiserver", exchange -> {
            exchange.sendResponseHeaders(200, 13);
            exchange.getResponseBody().write("an API".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            // Fails, as bytes are missing, and closes the connection.
            exchange.getResponseBody().close();
        });

        assertBuiltByGo(fixture.withGo(mirror()), "/release/kube-apiserver was cut off after 6 ");
        assertThat(requests).containsExactly(PATH + "kube-apiserver");
    }

    @Test
    void whenNothingMoreArrives_goBuilds() throws IOException {
        serve("kube-apiserver", exchange -> {
            exchange.sendResponseHeaders(200, 13);
            exchange.getResponseBody().write("an API".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            hang();
        });
        Downloads.Limits impatient = new Downloads.Limits(Duration.ofMinutes(1), Duration.ofSeconds(2), 1 << 16);

        assertBuiltByGo(
                fixture.withGo(mirror(impatient)),
                "was cut off after 6 bytes (SocketTimeoutException: Read timed out)");
    }

    @Test
    void aFileWithAnotherChecksum_isNotUsed_andThatIsSaidLoudly() throws IOException {
        serve("kube-apiserver", "an API s3rver");
        serve("kube-controller-manager", "a controller manager");

        String obstacle = fixture.withoutGo(mirror()).provide(CONTROL_PLANE);

        assertThat(obstacle)
                .startsWith("WRONG CHECKSUM: http://127.0.0.1:")
                .contains("/kube-apiserver has SHA-256 ", "but lab/binaries/checksums.tsv pins ")
                .endsWith("Go is not installed");
        assertThat(fixture.said).anyMatch(line -> line.startsWith("[1/2] not downloaded: WRONG CHECKSUM: "));
        assertThat(fixture.cache.fileOf(Tool.KUBE_APISERVER)).doesNotExist();
        assertThat(fixture.cache.fileOf(Tool.KUBE_CONTROLLER_MANAGER)).isExecutable();
        try (Stream<Path> files =
                Files.list(fixture.cache.fileOf(Tool.KUBE_APISERVER).getParent())) {
            assertThat(files).containsExactly(fixture.cache.fileOf(Tool.KUBE_CONTROLLER_MANAGER));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFileThatIsTooLarge_isNotReceived(boolean announced) throws IOException {
        serve("kube-apiserver", exchange -> {
            exchange.sendResponseHeaders(200, announced ? SupplyFixture.PATIENT.bytes() + 1 : 0);
            try (OutputStream body = exchange.getResponseBody()) {
                while (true) {
                    body.write(new byte[1 << 12]);
                }
            }
        });
        serve("kube-controller-manager", "a controller manager");

        assertThat(fixture.withGo(mirror()).provide(CONTROL_PLANE)).isEmpty();

        assertThat(fixture.said).anySatisfy(line -> assertThat(line).contains("/kube-apiserver is larger than "));
        assertThat(fixture.cache.fileOf(Tool.KUBE_APISERVER)).hasContent("kube-apiserver of Go");
    }

    @Test
    void aProgramWithoutPinnedChecksum_isNotDownloaded() throws IOException {
        serve("kubectl", "a kubectl");

        String obstacle = fixture.withoutGo(mirror()).provide(EnumSet.of(Tool.KUBECTL));

        assertThat(obstacle).startsWith("lab/binaries/checksums.tsv pins no release of kubectl for linux-amd64");
        assertThat(requests).isEmpty();
    }

    @Test
    void downloadsThatAreOff_areNotTried() throws IOException {
        assertBuiltByGo(fixture.withGo(Optional.empty()), "Not downloaded: CAPOA_DOWNLOADS is off");
    }

    @Test
    void aMirror_hasThePublishersPathsBelowTheNamesOfTheirHosts() {
        ReleaseFile file =
                ReleaseFile.of(fixture.root, Tool.KUBE_APISERVER, "linux-amd64").orElseThrow();

        assertThat(new Downloads(Optional.of("https://mirror.example/files/"), SupplyFixture.PATIENT).address(file))
                .hasToString("https://mirror.example/files/publisher.example/release/kube-apiserver");
        assertThat(new Downloads(Optional.empty(), SupplyFixture.PATIENT).address(file))
                .isEqualTo(file.location());
    }

    /** Both programs come from Go after a failure that the next file would meet too. */
    private void assertBuiltByGo(BinarySupply supply, String reason) throws IOException {
        assertThat(supply.provide(CONTROL_PLANE)).isEmpty();

        assertThat(fixture.said)
                .filteredOn(line -> line.toLowerCase(Locale.ROOT).contains("not downloaded: "))
                .singleElement()
                .asString()
                .contains(reason);
        assertThat(fixture.said)
                .contains("Building 2 programs with Go once, about 3 min on 2 idle cores; later starts take seconds:"
                        + " kube-apiserver and kube-controller-manager.");
        assertThat(fixture.goCalls()).hasSize(1);
        assertThat(fixture.cache.fileOf(Tool.KUBE_APISERVER)).hasContent("kube-apiserver of Go");
        assertThat(fixture.cache.fileOf(Tool.KUBE_CONTROLLER_MANAGER)).hasContent("kube-controller-manager of Go");
    }

    private Optional<Downloads> mirror() {
        return mirror(SupplyFixture.PATIENT);
    }

    private Optional<Downloads> mirror(Downloads.Limits limits) {
        return Optional.of(new Downloads(
                Optional.of("http://127.0.0.1:" + server.getAddress().getPort()), limits));
    }

    private void serve(String file, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        serve(file, exchange -> {
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    private void serve(String file, HttpHandler handler) {
        server.createContext(PATH + file, exchange -> {
            requests.add(exchange.getRequestURI().getPath());
            handler.handle(exchange);
        });
    }

    private void hang() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] tarGz(String... namesAndContents) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            for (int i = 0; i < namesAndContents.length; i += 2) {
                byte[] header = new byte[512];
                byte[] name = namesAndContents[i].getBytes(StandardCharsets.US_ASCII);
                byte[] content = namesAndContents[i + 1].getBytes(StandardCharsets.US_ASCII);
                header[156] = (byte) (namesAndContents[i].contains("PaxHeaders") ? 'x' : '0');
                byte[] size = "%011o".formatted(content.length).getBytes(StandardCharsets.US_ASCII);
                System.arraycopy(name, 0, header, 0, name.length);
                System.arraycopy(size, 0, header, 124, size.length);
                out.write(header);
                out.write(content);
                out.write(new byte[512 - content.length]);
            }
            out.write(new byte[1024]);
        }
        return bytes.toByteArray();
    }
}
