package io.capoa.lab.workload;

import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A small client of a workload cluster from a kubeconfig with a token; clients with the same CA share connections. */
public final class WorkloadApi {

    private static final Map<String, HttpClient> CLIENTS = new ConcurrentHashMap<>();
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** A response: HTTP status and JSON body. */
    public record Answer(int code, Map<String, Object> body) {}

    private final String server;
    private final String token;
    private final HttpClient http;

    private WorkloadApi(String server, String token, HttpClient http) {
        this.server = server;
        this.token = token;
        this.http = http;
    }

    /** Throws {@link IOException} if the text is not a kubeconfig with server, CA and token. */
    public static WorkloadApi of(String kubeconfig) throws IOException {
        try {
            Config config = Serialization.unmarshal(kubeconfig, Config.class);
            var cluster = config.getClusters().getFirst().getCluster();
            String authority = cluster.getCertificateAuthorityData();
            return new WorkloadApi(
                    cluster.getServer(),
                    Objects.requireNonNull(
                            config.getUsers().getFirst().getUser().getToken(), "it has no token"),
                    CLIENTS.computeIfAbsent(authority, WorkloadApi::client));
        } catch (RuntimeException e) {
            throw new IOException("not a kubeconfig of a workload cluster: " + e.getMessage(), e);
        }
    }

    /** Sends a request; {@code body} empty sends none. The path starts with a slash. */
    public Answer send(String method, String path, Map<String, Object> body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json");
        if (body.isEmpty()) {
            request.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("Content-Type", method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofByteArray(Json.bytes(body)));
        }
        HttpResponse<byte[]> response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        return new Answer(response.statusCode(), Json.parse(response.body()));
    }

    private static HttpClient client(String authority) {
        try {
            byte[] pem = Base64.getDecoder().decode(authority);
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            int count = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
                trusted.setCertificateEntry("authority-" + count++, certificate);
            }
            var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(context)
                    .build();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("unreadable certificate authority: " + e, e);
        }
    }
}
