package io.capoa.lab.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.controlplane.ControlPlaneProvider;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.SharedCluster;
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
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Anybody who can connect posts five megabytes of empty objects to a manager, with its own JVM options and limits. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class AdmissionBombTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration ATTACK = Duration.ofSeconds(5);
    private static final int ATTACKERS = 4;
    private static final String BOMB = review("\"x\":[" + String.join(",", Collections.nCopies(1_700_000, "{}")) + "]");

    private final HeldCertificate certificate =
            new HeldCertificate.Builder().addSubjectAlternativeName("127.0.0.1").build();
    private final HttpClient http = HttpClient.newBuilder()
            .sslContext(new HandshakeCertificates.Builder()
                    .addTrustedCertificate(certificate.certificate())
                    .build()
                    .sslContext())
            .build();

    @TempDir
    private Path folder;

    private static String review(String fields) {
        return "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\","
                + fields + "}}";
    }

    @Test
    void theBootstrapProvider_refusesThem_andAnswersOthers(TestCluster cluster) throws Exception {
        attack(
                BootstrapProvider.class,
                cluster.kubeconfigOf(KnownUsers.BOOTSTRAP_PROVIDER),
                "/validate-bootstrap-cluster-x-k8s-io-v1beta1-openshiftassistedconfig");
    }

    @Test
    void theControlPlaneProvider_refusesThem_andAnswersOthers(TestCluster cluster) throws Exception {
        attack(
                ControlPlaneProvider.class,
                cluster.kubeconfigOf(KnownUsers.CONTROL_PLANE_PROVIDER),
                "/validate-controlplane-cluster-x-k8s-io-v1beta1-openshiftassistedcontrolplane");
    }

    private void attack(Class<?> provider, Path kubeconfig, String path) throws Exception {
        int port = ManagerChild.freePort();
        Files.writeString(folder.resolve("tls.key"), certificate.privateKeyPkcs8Pem());
        Files.writeString(folder.resolve("tls.crt"), certificate.certificatePem());
        try (var manager = ManagerChild.startShipped(
                        provider,
                        folder,
                        kubeconfig,
                        "--namespace=admission-bomb",
                        "--webhook-port=" + port,
                        "--webhook-cert-dir=" + folder);
                var attackers = Executors.newVirtualThreadPerTaskExecutor()) {
            await().atMost(PATIENCE).until(manager::isReady);
            AtomicBoolean over = new AtomicBoolean();
            Set<Integer> statuses = ConcurrentHashMap.newKeySet();
            List<Duration> taken = new ArrayList<>();
            for (int i = 0; i < ATTACKERS; i++) {
                String target = i % 2 == 0 ? path : "/convert";
                attackers.execute(() -> {
                    while (!over.get()) {
                        statuses.add(bomb(port, target));
                    }
                });
            }
            try {
                long end = System.nanoTime() + ATTACK.toNanos();
                while (System.nanoTime() < end) {
                    long begin = System.nanoTime();
                    assertThat(post(port, path, review("\"operation\":\"DELETE\""))
                                    .body())
                            .contains("\"allowed\":true");
                    taken.add(Duration.ofNanos(System.nanoTime() - begin));
                }
            } finally {
                over.set(true);
            }
            taken.sort(null);
            System.out.printf(
                    "%d reviews, nine of ten within %d ms, all within %d ms; bombs: %s%n",
                    taken.size(),
                    taken.get(taken.size() * 9 / 10).toMillis(),
                    taken.getLast().toMillis(),
                    statuses);
            assertThat(taken.get(taken.size() * 9 / 10)).isLessThan(Duration.ofSeconds(2));
            assertThat(statuses).contains(413).doesNotContain(200, 500);
            assertThat(manager.isRunning()).isTrue();
            assertThat(manager.isReady()).isTrue();
        }
    }

    /** Zero for a connection that was closed. */
    private int bomb(int port, String path) {
        try {
            return post(port, path, BOMB).statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private HttpResponse<String> post(int port, String path, String body) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
                        .header("Content-Type", "application/json")
                        .timeout(Duration.ofSeconds(30))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
