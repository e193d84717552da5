package io.capoa.lab.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Who may read the metrics of a manager with the rights that it is shipped with. */
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsAccessTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String ROLE = "capoa-bootstrap-metrics-reader";

    private final TestCluster cluster;
    private Path folder = Path.of("");
    private @Nullable ManagerChild manager;

    MetricsAccessTest(TestCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    void start(@TempDir Path temporary) throws IOException {
        folder = temporary;
        manager = ManagerChild.startProvider(
                BootstrapProvider.class,
                folder,
                cluster.kubeconfigOf(KnownUsers.BOOTSTRAP_PROVIDER),
                "--namespace=metrics-access",
                "--webhook-port=0",
                "--metrics-secure",
                "--metrics-cert-dir=" + Files.createDirectory(folder.resolve("certificates")));
        await().atMost(PATIENCE).until(manager::isReady);
    }

    @AfterAll
    void stop() {
        if (manager != null) {
            manager.close();
        }
        cluster.admin().rbac().clusterRoleBindings().withName(ROLE).delete();
    }

    @Test
    void
            onlyATokenWithTheRight_readsMetrics_overHttpsWithAnyCertificateThatAppears_andFindsNoSeriesThatIsNotDocumented()
                    throws Exception {
        String documentation = Files.readString(ProjectRoot.find().resolve("docs/metrics.md"));
        HeldCertificate first = certificate();
        put(first);
        OkHttpClient trusting = client(trusting(first));
        await().atMost(PATIENCE).ignoreExceptions().until(() -> status(trusting, null) == 401);
        assertThat(status(trusting, "guessed")).isEqualTo(401);
        String token = token(KnownUsers.LIMITED);
        assertThat(status(trusting, token)).isEqualTo(403);

        cluster.admin()
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(ROLE)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", ROLE)
                        .withSubjects(cluster.subject(KnownUsers.LIMITED))
                        .build())
                .create();
        Instant granted = Instant.now();
        await().atMost(PATIENCE).until(() -> status(trusting, token) == 200);
        assertThat(Duration.between(granted, Instant.now()))
                .as("a refusal is not kept for long")
                .isLessThan(Duration.ofSeconds(20));
        assertThat(page(trusting, token))
                .contains("leader_election_master_status")
                .doesNotContain(token);

        assertThat(series(page(trusting, token)))
                .hasSizeGreaterThan(10)
                .allMatch(documentation::contains, "in docs/metrics.md");
        HeldCertificate second = certificate();
        put(second);
        await().atMost(PATIENCE).ignoreExceptions().until(() -> status(client(trusting(second)), token) == 200);
        assertThat(manager == null ? "" : manager.log()).doesNotContain(token);
    }

    /** Names of the series, without those of the JVM and the machine, and without suffixes that a timer adds. */
    private static Set<String> series(String page) {
        return page.lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ", -1)[2])
                .filter(name -> !name.matches("(jvm|process|system)_.*|.*_seconds_max"))
                .map(name -> "`" + name + "`")
                .collect(Collectors.toSet());
    }

    private void put(HeldCertificate certificate) throws IOException {
        Path certificates = folder.resolve("certificates");
        Files.writeString(certificates.resolve("tls.key"), certificate.privateKeyPkcs8Pem());
        Files.writeString(certificates.resolve("tls.crt"), certificate.certificatePem());
    }

    private static HeldCertificate certificate() {
        return new HeldCertificate.Builder()
                .commonName("metrics")
                .addSubjectAlternativeName("127.0.0.1")
                .build();
    }

    private static HandshakeCertificates trusting(HeldCertificate certificate) {
        return new HandshakeCertificates.Builder()
                .addTrustedCertificate(certificate.certificate())
                .build();
    }

    private static OkHttpClient client(HandshakeCertificates certificates) {
        return new OkHttpClient.Builder()
                .sslSocketFactory(certificates.sslSocketFactory(), certificates.trustManager())
                .build();
    }

    private String token(String user) {
        Config config = Config.fromKubeconfig(cluster.kubeconfigOf(user).toFile());
        return Objects.requireNonNullElseGet(config.getOauthToken(), config::getAutoOAuthToken);
    }

    private int status(OkHttpClient client, @Nullable String token) throws IOException {
        try (Response response = get(client, token)) {
            return response.code();
        }
    }

    private String page(OkHttpClient client, String token) throws IOException {
        try (Response response = get(client, token)) {
            return response.body().string();
        }
    }

    private Response get(OkHttpClient client, @Nullable String token) throws IOException {
        Request.Builder request = new Request.Builder()
                .url("https://127.0.0.1:" + (manager == null ? 0 : manager.metricsPort()) + "/metrics");
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.newCall(request.build()).execute();
    }
}
