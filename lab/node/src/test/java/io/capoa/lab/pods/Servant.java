package io.capoa.lab.pods;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Program of the test images: a server that reports its view of the pod.
 *
 * <p>{@code /file/NAME} is a file of {@code --files}, {@code /variable/NAME} a variable, {@code /secrets/NAMESPACE} the
 * status code of listing Secrets as itself; with {@code --certificates} it serves TLS and admission reviews, which
 * reject every object whose name begins with {@code refused}.
 */
final class Servant {

    private final Map<String, String> flags = new HashMap<>();

    private Servant(String... arguments) {
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            flags.put(parts[0], parts[1]);
        }
    }

    public static void main(String... arguments) throws Exception {
        Servant servant = new Servant(arguments);
        System.out.println("serving " + String.join(" ", arguments));
        servant.listen();
    }

    private void listen() throws Exception {
        String address = Objects.requireNonNull(flags.get("--address"));
        var socket = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)));
        HttpServer plain = HttpServer.create(socket, 0);
        plain.createContext("/file/", this::file);
        plain.createContext("/variable/", this::variable);
        plain.createContext("/secrets/", this::secrets);
        plain.createContext("/healthy", exchange -> answer(exchange, 200, "ok"));
        plain.start();
        if (flags.containsKey("--certificates")) {
            int port = Integer.parseInt(Objects.requireNonNull(flags.get("--webhook-port")));
            HttpsServer secure = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            secure.setHttpsConfigurator(new HttpsConfigurator(tls(Path.of(flags.get("--certificates")))));
            secure.createContext("/review", Servant::review);
            secure.start();
        }
    }

    private void file(HttpExchange exchange) throws IOException {
        Path file = Path.of(Objects.requireNonNull(flags.get("--files")), last(exchange));
        if (Files.exists(file)) {
            answer(exchange, 200, Files.readString(file));
        } else {
            answer(exchange, 404, "none");
        }
    }

    private void variable(HttpExchange exchange) throws IOException {
        answer(exchange, 200, String.valueOf(System.getenv(last(exchange))));
    }

    private void secrets(HttpExchange exchange) throws IOException {
        Config config = Config.fromKubeconfig(new File(System.getenv("KUBECONFIG")));
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            var unused = client.secrets().inNamespace(last(exchange)).list();
            answer(exchange, 200, "200");
        } catch (KubernetesClientException e) {
            answer(exchange, 200, e.getCode() + " " + e.getMessage());
        }
    }

    private static void review(HttpExchange exchange) throws IOException {
        String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String uid = request.replaceFirst("(?s).*?\"uid\":\"([^\"]*)\".*", "$1");
        boolean allowed = !request.contains("\"name\":\"refused");
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        answer(exchange, 200, """
                {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":
                {"uid":"%s","allowed":%s,"status":{"message":"the servant refuses it"}}}""".formatted(uid, allowed));
    }

    private static String last(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static void answer(HttpExchange exchange, int code, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static SSLContext tls(Path folder) throws Exception {
        String key = Files.readString(folder.resolve("tls.key")).replaceAll("-----[^-]*-----", "");
        Certificate certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(folder.resolve("tls.crt"))));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "server",
                KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
                        .generatePrivate(
                                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key))),
                new char[0],
                new Certificate[] {certificate});
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }
}
