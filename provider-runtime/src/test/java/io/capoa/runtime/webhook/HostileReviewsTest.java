package io.capoa.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conversion.ApiConversion;
import io.capoa.api.rules.ConfigSpecRules;
import io.capoa.api.rules.Section;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Anybody who can connect sends reviews; the server is a process with the managers' JVM options and memory limit. */
@Tag("full")
class HostileReviewsTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String VALIDATE = AdmissionHandler.path(OpenshiftAssistedConfig.class);
    private static final int MIB = 1 << 20;

    /** What a manager of many clusters keeps on its heap. */
    private static final int KEPT_MIB = 40;

    private static final Duration ATTACK = Duration.ofSeconds(10);
    /** Of the shipped webhook configurations, after which the API server gives a review up. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final HeldCertificate certificate = CertificateFiles.localhost().build();
    private final HttpClient http = HttpClient.newBuilder()
            .sslContext(new HandshakeCertificates.Builder()
                    .addTrustedCertificate(certificate.certificate())
                    .build()
                    .sslContext())
            .build();
    private final Process process;
    private final int port;

    HostileReviewsTest(@TempDir Path folder) throws IOException {
        new CertificateFiles(folder).put(certificate);
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + Path.of(System.getProperty("user.dir"), "..", "config", "jvm.options"),
                        "-XX:MaxRAM=320m",
                        "-XX:ActiveProcessorCount=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Server.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        BufferedReader said = process.inputReader();
        String line = said.readLine();
        while (!line.startsWith("port ")) {
            line = said.readLine();
        }
        port = Integer.parseInt(line.substring(5));
        Thread.ofPlatform().daemon().start(() -> said.lines().forEach(System.out::println));
    }

    @AfterEach
    void stop() {
        http.close();
        process.destroyForcibly();
    }

    /** The two handlers of a manager. */
    static final class Server {

        private static final List<byte[]> KEPT = new ArrayList<>();

        public static void main(String[] args) throws Exception {
            for (int i = 0; i < KEPT_MIB; i++) {
                KEPT.add(new byte[MIB]);
            }
            var server = WebhookServer.listen(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            Path.of(args[0]),
                            Clock.systemUTC())
                    .serve(
                            VALIDATE,
                            new AdmissionHandler<>(
                                    OpenshiftAssistedConfig.class,
                                    (change, findings) -> ConfigSpecRules.check(
                                            new Section("spec", false, findings),
                                            change.object().getSpec())))
                    .serve(ConversionHandler.PATH, new ConversionHandler(ApiConversion.bootstrap()));
            System.out.println("port " + server.port());
            Thread.sleep(Duration.ofMinutes(5));
        }
    }

    @Test
    void reviewsThatAreBombs_areRefused_andTheOthersAnswered_byTheSameProcess() throws Exception {
        assertThat(allowed(post(VALIDATE, admission(config(""), config(""))))).isTrue();
        AtomicBoolean over = new AtomicBoolean();
        Map<String, Integer> statuses = new ConcurrentHashMap<>();
        List<Duration> taken = new ArrayList<>();
        try (var attackers = Executors.newVirtualThreadPerTaskExecutor()) {
            bombs().forEach((name, body) -> {
                for (String path : List.of(VALIDATE, ConversionHandler.PATH)) {
                    attackers.execute(() -> {
                        while (!over.get()) {
                            statuses.merge(name + " " + path + " " + status(path, body), 1, Integer::sum);
                        }
                    });
                }
            });
            try {
                long end = System.nanoTime() + ATTACK.toNanos();
                while (System.nanoTime() < end) {
                    long begin = System.nanoTime();
                    assertThat(allowed(post(
                                    VALIDATE, admission(config(""), config(",\"spec\":{\"osImageVersion\":\"1\"}")))))
                            .isTrue();
                    taken.add(Duration.ofNanos(System.nanoTime() - begin));
                }
            } finally {
                over.set(true);
            }
        }
        taken.sort(null);
        System.out.printf(
                "%d reviews during the attack, nine of ten within %d ms, all within %d ms; %s%n",
                taken.size(),
                taken.get(taken.size() * 9 / 10).toMillis(),
                taken.getLast().toMillis(),
                new TreeMap<>(statuses));
        assertThat(process.isAlive()).isTrue();
        assertThat(statuses.keySet()).anyMatch(key -> key.endsWith(" 413"));
        assertThat(taken.get(taken.size() * 9 / 10)).isLessThan(TIMEOUT);
    }

    @Test
    void theLargestObjectsOfAnApiServer_areJudgedAndConverted() throws Exception {
        String large = large('x');
        HttpResponse<String> judged = post(VALIDATE, admission(large, large('y')));
        assertThat(judged.statusCode()).as(judged.body()).isEqualTo(200);
        assertThat(allowed(judged)).isTrue();

        HttpResponse<String> converted = post(ConversionHandler.PATH, conversion(list(large, 2)));
        assertThat(converted.statusCode()).as(converted.body()).isEqualTo(200);
        assertThat(JSON.readTree(converted.body()).at("/response/convertedObjects"))
                .hasSize(2);
    }

    private static Map<String, String> bombs() {
        return Map.of(
                "empty objects", inRequest("[" + list("{}", 1_700_000) + "]"),
                "levels", inRequest("[" + list("{\"a\":{\"a\":{\"a\":{}}}}", 250_000) + "]"),
                "texts", inRequest("[" + list("\"a\"", 1_200_000) + "]"),
                "deep", inRequest("{\"a\":".repeat(1_000_000)),
                "digits", inRequest("1".repeat(5_000_000)),
                "names",
                        inRequest(IntStream.range(0, 400_000)
                                .mapToObj(i -> "\"" + i + "\":0")
                                .collect(Collectors.joining(",", "{", "}"))),
                "findings",
                        admission(
                                config(",\"spec\":{\"installerArgs\":[" + list("\"a b\"", 70_000) + "]}"),
                                config(",\"spec\":{\"installerArgs\":[" + list("\"c d\"", 70_000) + "]}")),
                "our kind", conversion(list(finalized("a"), 15)),
                "our kind twice", admission(finalized("a"), finalized("b")));
    }

    /** Nearly 1.5 MiB, which is as much as etcd takes. */
    private static String large(char filling) {
        String command = String.valueOf(filling).repeat(60 << 10);
        return config(",\"spec\":{\"preInstallCommands\":[" + list("\"" + command + "\"", 24) + "]}");
    }

    /** An object of many values, with fewer of them than are refused. */
    private static String finalized(String finalizer) {
        return config(",\"metadata\":{\"name\":\"b\",\"finalizers\":[" + list("\"" + finalizer + "\"", 70_000)
                + "]},\"spec\":{\"osImageVersion\":\"" + finalizer + "\"}");
    }

    private static String inRequest(String value) {
        return "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\",\"x\":"
                + value + "}}";
    }

    private static String admission(String object, String before) {
        return "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\",\"operation\":"
                + "\"UPDATE\",\"object\":" + object + ",\"oldObject\":" + before + "}}";
    }

    private static String conversion(String objects) {
        return "{\"kind\":\"ConversionReview\",\"apiVersion\":\"apiextensions.k8s.io/v1\",\"request\":{\"uid\":\"u\","
                + "\"desiredAPIVersion\":\"bootstrap.cluster.x-k8s.io/v1alpha1\",\"objects\":[" + objects + "]}}";
    }

    private static String config(String more) {
        return "{\"apiVersion\":\"bootstrap.cluster.x-k8s.io/v1beta1\",\"kind\":\"OpenshiftAssistedConfig\","
                + "\"metadata\":{\"name\":\"c\"},\"spec\":{}" + more + "}";
    }

    private static String list(String entry, int count) {
        return String.join(",", Collections.nCopies(count, entry));
    }

    private static boolean allowed(HttpResponse<String> answer) throws IOException {
        JsonNode review = JSON.readTree(answer.body());
        return review.at("/response/allowed").asBoolean();
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
                        .header("Content-Type", "application/json")
                        .timeout(Duration.ofSeconds(30))
                        .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Zero for a connection that was closed. */
    private int status(String path, String body) {
        try {
            return post(path, body).statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }
}
