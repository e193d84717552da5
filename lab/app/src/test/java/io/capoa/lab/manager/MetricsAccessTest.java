package io.capoa.lab.manager;

import static io.capoa.lab.manager.ManagerChild.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Who may read the metrics of a manager, and look into it, with the rights that it is shipped with. */
@Tag("full")
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(ManagerChild.ONE_PROVIDER)
class MetricsAccessTest {

    private static final String NAMESPACE = "metrics-access";
    private static final String ROLE = "capoa-bootstrap-metrics-reader";

    private static final String DEBUGGER = "capoa-bootstrap-debugger";

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
                "--namespace=" + NAMESPACE,
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
        for (String role : List.of(ROLE, DEBUGGER)) {
            cluster.admin().rbac().clusterRoleBindings().withName(role).delete();
        }
        cluster.admin().namespaces().withName(NAMESPACE).delete();
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

        cluster.admin().resource(binding(ROLE)).create();
        Instant granted = Instant.now();
        await().atMost(PATIENCE).until(() -> status(trusting, token) == 200);
        assertThat(Duration.between(granted, Instant.now()))
                .as("a refusal is not kept as long as a right")
                .isLessThan(Duration.ofMinutes(1));
        assertThat(page(trusting, token))
                .contains("leader_election_master_status")
                .doesNotContain(token);

        assertThat(series(page(trusting, token)))
                .hasSizeGreaterThan(10)
                .allMatch(documentation::contains, "in docs/metrics.md");
        createConfig();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(page(trusting, token))
                        .as("condition of an object in the cache")
                        .contains(
                                "capoa_conditions{controller=\"openshiftassistedconfig\",reason=\"WaitingForMachine\","
                                        + "status=\"False\",type=\"DataSecretAvailable\"} 1"));
        HeldCertificate second = certificate();
        put(second);
        await().atMost(PATIENCE).ignoreExceptions().until(() -> status(client(trusting(second)), token) == 200);
        assertThat(manager == null ? "" : manager.log()).doesNotContain(token);
    }

    @Test
    void onlyATokenWithTheRight_readsThreads_andChangesTheLogLevel() throws Exception {
        HeldCertificate certificate = certificate();
        put(certificate);
        OkHttpClient client = client(trusting(certificate));
        String token = token(KnownUsers.LIMITED);
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> call(client, "/debug/threads", null, null).startsWith("401 "));
        assertThat(call(client, "/debug/threads", token, null))
                .startsWith("403 ")
                .contains("verb get");
        assertThat(call(client, "/debug/log-level", token, "debug"))
                .startsWith("403 ")
                .contains("verb put");

        cluster.admin().resource(binding(DEBUGGER)).create();

        await().atMost(PATIENCE)
                .until(() -> call(client, "/debug/threads", token, null).startsWith("200 "));
        assertThat(call(client, "/debug/threads", token, null))
                .contains("\"main\"", "virtual", "io.capoa.runtime.manager.ManagerProcess.run");
        assertThat(call(client, "/debug/log-level", token, null)).isEqualTo("200 info\n");
        await().atMost(PATIENCE)
                .until(() -> call(client, "/debug/log-level", token, "debug").equals("200 debug\n"));
        assertThat(call(client, "/debug/log-level", token, null)).isEqualTo("200 debug\n");
        assertThat(call(client, "/debug/log-level", token, "loud"))
                .isEqualTo("400 send error, warn, info, debug or trace\n");
        assertThat(call(client, "/debug/log-level", token, "debug".repeat(10))).startsWith("413 ");
        assertThat(call(client, "/debug/threads", token, "debug")).startsWith("405 ");
        assertThat(call(client, "/metrics", token, "debug")).startsWith("405 ");
        assertThat(manager == null ? "" : manager.log())
                .contains("Log level changed from info to debug")
                .doesNotContain(token);
        assertThat(call(client, "/debug/log-level", token, "info")).isEqualTo("200 info\n");
    }

    private ClusterRoleBinding binding(String role) {
        return new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(role)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                .withSubjects(cluster.subject(KnownUsers.LIMITED))
                .build();
    }

    /** Status and body of a GET, or of a PUT if there is something to send. */
    private String call(OkHttpClient client, String path, @Nullable String token, @Nullable String sent)
            throws IOException {
        Request.Builder request = request(path, token);
        if (sent != null) {
            request.put(RequestBody.create(sent, MediaType.get("text/plain")));
        }
        try (Response response = client.newCall(request.build()).execute()) {
            return response.code() + " " + response.body().string();
        }
    }

    private void createConfig() {
        var unused = cluster.admin()
                .namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        OpenshiftAssistedConfig config = new OpenshiftAssistedConfig();
        config.setMetadata(new ObjectMetaBuilder()
                .withNamespace(NAMESPACE)
                .withName("counted")
                .build());
        config.setSpec(Serialization.unmarshal("{}", OpenshiftAssistedConfigSpec.class));
        var created = cluster.admin().resource(config).create();
        assertThat(created.getMetadata().getUid()).isNotEmpty();
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
        return client.newCall(request("/metrics", token).build()).execute();
    }

    private Request.Builder request(String path, @Nullable String token) {
        Request.Builder request =
                new Request.Builder().url("https://127.0.0.1:" + (manager == null ? 0 : manager.metricsPort()) + path);
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }
}
