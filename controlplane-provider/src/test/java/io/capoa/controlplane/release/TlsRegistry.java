package io.capoa.controlplane.release;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * A registry with a certificate that only its own authority vouches for. It asks for a password and keeps its layers
 * elsewhere, as large registries do.
 */
final class TlsRegistry implements AutoCloseable {

    private static final String PASSWORD = "changeit";

    final List<String> requests = new CopyOnWriteArrayList<>();
    final ConcurrentLinkedQueue<String> seenByStorage = new ConcurrentLinkedQueue<>();
    private final HttpsServer server;
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final String certificate;
    private volatile byte[] layer = new byte[0];
    private volatile byte[] manifest = new byte[0];

    private TlsRegistry(KeyStore keys) throws GeneralSecurityException, IOException {
        Certificate own = keys.getCertificate("registry");
        certificate = "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(own.getEncoded())
                + "\n-----END CERTIFICATE-----\n";
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, new SecureRandom());
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", this::answer);
        server.setExecutor(workers);
        server.start();
    }

    /** @param begins of its certificate, which is valid for two days, relative to now, as keytool takes it */
    static TlsRegistry start(Path directory, String begins) throws Exception {
        Path file = directory.resolve("registry.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "registry",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=registry",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD,
                        "-startdate",
                        begins,
                        "-validity",
                        "2")
                .inheritIO()
                .start();
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool made no certificate");
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return new TlsRegistry(keys);
    }

    /** Host and port. */
    String address() {
        return "localhost:" + server.getAddress().getPort();
    }

    /** The certificate in PEM. */
    String certificate() {
        return certificate;
    }

    /** Every tag is now the release of this version. */
    void serve(String version, String kubernetes) throws IOException {
        String references = """
                {"kind":"ImageStream","metadata":{"name":"%s"},"spec":{"tags":[{"name":"hyperkube",
                 "annotations":{"io.openshift.build.versions":"kubernetes=%s"}}]}}
                """.formatted(version, kubernetes);
        byte[] content = references.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            TarArchiveEntry entry = new TarArchiveEntry("release-manifests/image-references");
            entry.setSize(content.length);
            tar.putArchiveEntry(entry);
            tar.write(content);
            tar.closeArchiveEntry();
        }
        layer = bytes.toByteArray();
        manifest = """
                {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",
                 "config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"%s","size":2},
                 "layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar+gzip","digest":"%s","size":%d}]}
                """.formatted(Fingerprint.of("{}"), Fingerprint.of(layer), layer.length)
                .getBytes(StandardCharsets.UTF_8);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        requests.add(path);
        try (exchange) {
            if (path.startsWith("/storage/")) {
                seenByStorage.add(String.valueOf(authorization));
                send(exchange, 200, layer);
            } else if (authorization == null) {
                exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"registry\"");
                send(exchange, 401, new byte[0]);
            } else if (path.contains("/manifests/")) {
                exchange.getResponseHeaders().add("Content-Type", "application/vnd.oci.image.manifest.v1+json");
                send(exchange, 200, manifest);
            } else {
                String storage = "https://127.0.0.1:" + server.getAddress().getPort() + "/storage/layer";
                exchange.getResponseHeaders().add("Location", storage);
                send(exchange, 307, new byte[0]);
            }
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] content) throws IOException {
        exchange.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
        if (content.length > 0) {
            exchange.getResponseBody().write(content);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        workers.shutdownNow();
    }
}
