package io.capoa.lab.manager;

import static io.capoa.lab.manager.ManagerChild.PATIENCE;
import static org.awaitility.Awaitility.await;

import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.controlplane.ControlPlaneProvider;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.TestCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** A manager with the JVM options of its image, within the limits of its Deployment, and its webhooks. */
public final class ShippedManager implements AutoCloseable {

    /** Paths of webhooks. */
    public static final String CONFIG_REVIEWS = "/validate-bootstrap-cluster-x-k8s-io-v1beta1-openshiftassistedconfig";

    public static final String CONTROL_PLANE_REVIEWS =
            "/validate-controlplane-cluster-x-k8s-io-v1beta1-openshiftassistedcontrolplane";
    public static final String CONVERSION = "/convert";

    private static final Duration ANSWER = Duration.ofSeconds(30);

    private final ManagerChild process;
    private final int webhooks;
    private final HttpClient http;

    private ShippedManager(ManagerChild process, int webhooks, HttpClient http) {
        this.process = process;
        this.webhooks = webhooks;
        this.http = http;
    }

    /**
     * Starts the bootstrap provider as its user.
     *
     * @param folder for its log and the certificate of its webhooks
     */
    public static ShippedManager bootstrap(TestCluster cluster, Path folder, String... flags) throws IOException {
        return start(BootstrapProvider.class, cluster.kubeconfigOf(KnownUsers.BOOTSTRAP_PROVIDER), folder, flags);
    }

    /** The same for the control-plane provider. */
    public static ShippedManager controlPlane(TestCluster cluster, Path folder, String... flags) throws IOException {
        return start(
                ControlPlaneProvider.class, cluster.kubeconfigOf(KnownUsers.CONTROL_PLANE_PROVIDER), folder, flags);
    }

    private static ShippedManager start(Class<?> provider, Path kubeconfig, Path folder, String... flags)
            throws IOException {
        HeldCertificate certificate = new HeldCertificate.Builder()
                .addSubjectAlternativeName("127.0.0.1")
                .build();
        Path certificates = Files.createTempDirectory(folder, "certificate");
        Files.writeString(certificates.resolve("tls.key"), certificate.privateKeyPkcs8Pem());
        Files.writeString(certificates.resolve("tls.crt"), certificate.certificatePem());
        int port = ManagerChild.freePort();
        List<String> all = new ArrayList<>(List.of(flags));
        all.add("--webhook-port=" + port);
        all.add("--webhook-cert-dir=" + certificates);
        return new ShippedManager(
                ManagerChild.startShipped(provider, folder, kubeconfig, all.toArray(String[]::new)),
                port,
                HttpClient.newBuilder()
                        .sslContext(new HandshakeCertificates.Builder()
                                .addTrustedCertificate(certificate.certificate())
                                .build()
                                .sslContext())
                        .build());
    }

    /** Returns when it is ready. */
    public ShippedManager ready() {
        await().atMost(PATIENCE).until(process::isReady);
        return this;
    }

    public ManagerChild process() {
        return process;
    }

    /** What a webhook answers to a body of JSON. */
    public HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + webhooks + path))
                        .header("Content-Type", "application/json")
                        .timeout(ANSWER)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        process.close();
    }
}
