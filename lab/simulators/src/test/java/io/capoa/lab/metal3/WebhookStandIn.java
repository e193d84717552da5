package io.capoa.lab.metal3;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Stand-in for CAPM3's manager with only its webhooks: they cannot be disabled, port 0 is the default port, and it
 * exits without {@code tls.crt} and {@code tls.key}. Rejects objects named {@code refused}.
 */
final class WebhookStandIn {

    private static final int DEFAULT_PORT = 9443;
    private static final ObjectMapper JSON = new ObjectMapper();

    private WebhookStandIn() {}

    public static void main(String[] arguments) throws Exception {
        int port = 0;
        Path folder = Path.of("/tmp/k8s-webhook-server/serving-certs/");
        for (String argument : arguments) {
            if (argument.startsWith("--webhook-port=")) {
                port = Integer.parseInt(argument.substring("--webhook-port=".length()));
            } else if (argument.startsWith("--webhook-cert-dir=")) {
                folder = Path.of(argument.substring("--webhook-cert-dir=".length()));
            }
        }
        HttpsServer server = HttpsServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port == 0 ? DEFAULT_PORT : port), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context(folder)));
        server.createContext("/", exchange -> {
            JsonNode review = JSON.readTree(exchange.getRequestBody());
            boolean allowed = !"refused".equals(review.at("/request/name").asText());
            byte[] answer = JSON.writeValueAsBytes(Map.of(
                    "apiVersion", "admission.k8s.io/v1",
                    "kind", "AdmissionReview",
                    "response",
                            Map.of(
                                    "uid", review.at("/request/uid").asText(),
                                    "allowed", allowed,
                                    "status", Map.of("message", "refused by the stand-in"))));
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        Thread.currentThread().join();
    }

    private static SSLContext context(Path folder) throws Exception {
        Certificate certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(folder.resolve("tls.crt"))));
        String pem = Files.readString(folder.resolve("tls.key"), UTF_8);
        byte[] encoded = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        PrivateKey key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
        char[] password = "in-memory".toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", key, password, List.of(certificate).toArray(Certificate[]::new));
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }
}
