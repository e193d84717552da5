package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvtestArchiveTest {

    private static final Path ROOT = ProjectRoot.find();

    @TempDir
    private Path folder;

    private final HttpServer server;
    private String published = "";

    EnvtestArchiveTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void publish() throws Exception {
        byte[] archive = tarGz(
                "controller-tools/envtest/kube-apiserver", "an api server", "controller-tools/envtest/etcd", "a store");
        published =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-512").digest(archive));
        serve("/archive", () -> archive);
        serve("/index", () -> index().getBytes(StandardCharsets.UTF_8));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void whenGoIsMissing_theProgramComesFromTheArchiveOfTheSameMinorVersion() {
        assertThat(source().get(Tool.ETCD))
                .hasValueSatisfying(file -> assertThat(file).isExecutable().hasContent("a store"));
    }

    @Test
    void whenTheChecksumIsNotThePublished_nothingIsTaken() {
        published = "00";

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> source().get(Tool.ETCD))
                .withMessageContaining("SHA-512");
        assertThat(cache().get(Tool.ETCD)).isEmpty();
    }

    @Test
    void whenTheControllerManagerIsWanted_saysWhatItMeansToGoWithout() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();

        assertThat(new EnvtestArchive(
                                ROOT, cache(), new PrintStream(said, true, StandardCharsets.UTF_8), address("/index"))
                        .get(Tool.KUBE_CONTROLLER_MANAGER))
                .isEmpty();
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("without kube-controller-manager", "leave their objects behind");
    }

    @Test
    void whenThereIsNoInternet_saysWhatToDo() {
        URI nowhere = address("/index");
        server.stop(0);

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> new EnvtestArchive(ROOT, cache(), quiet(), nowhere).get(Tool.ETCD))
                .withMessageContaining("Go is not installed")
                .withMessageContaining("cannot be reached")
                .withMessageContaining("KUBEBUILDER_ASSETS");
    }

    private String index() {
        String version = GoRecipe.of(ROOT, Tool.KUBE_APISERVER).version();
        String first = version.substring(0, version.lastIndexOf('.')) + ".0";
        return """
                releases:
                  v1.2.3:
                    envtest-v1.2.3-%1$s.tar.gz:
                      hash: "11"
                      selfLink: %2$s/absent
                  %3$s:
                    envtest-%3$s-%1$s.tar.gz:
                      hash: "%4$s"
                      selfLink: %2$s/archive
                """.formatted(EnvtestIndex.platform(), address(""), first, published);
    }

    private EnvtestArchive source() {
        return new EnvtestArchive(ROOT, cache(), quiet(), address("/index"));
    }

    private static PrintStream quiet() {
        return new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    }

    private BinaryCache cache() {
        return BinaryCache.of(ROOT, Map.of("XDG_CACHE_HOME", folder.toString()));
    }

    private URI address(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private void serve(String path, Supplier<byte[]> body) {
        server.createContext(path, exchange -> {
            byte[] bytes = body.get();
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    private static byte[] tarGz(String... namesAndContents) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            for (int i = 0; i < namesAndContents.length; i += 2) {
                byte[] header = new byte[512];
                byte[] name = namesAndContents[i].getBytes(StandardCharsets.US_ASCII);
                byte[] content = namesAndContents[i + 1].getBytes(StandardCharsets.US_ASCII);
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
