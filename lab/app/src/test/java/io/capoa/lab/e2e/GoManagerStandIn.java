package io.capoa.lab.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.capoa.lab.pods.Program;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/**
 * What the API server asks of a manager of the Go provider: probes, and webhooks that allow every change and convert by
 * renaming, which is enough for objects with the fields that its versions share. Versions that the Go provider lacks are
 * refused, and paths are 404.
 */
final class GoManagerStandIn {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CERTIFICATES = "--webhook-cert-dir=";
    private static final String WEBHOOKS = "--webhook-port=";
    private static final String PROBES = "--health-probe-bind-address=";

    private GoManagerStandIn() {}

    /** The program for the image of one of its providers. */
    static Program program(String provider) {
        return Program.of(
                "edge-infrastructure/cluster-api-%s-provider-openshift-assisted".formatted(provider),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        // Within the memory limit of the Go provider's Deployments.
                        "-Xmx24m",
                        "-XX:ReservedCodeCacheSize=16m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GoManagerStandIn.class.getName()),
                PROBES + ":8081",
                WEBHOOKS + "9443",
                CERTIFICATES + "/tmp/k8s-webhook-server/serving-certs/");
    }

    /** Serves until it is ended. */
    public static void main(String[] arguments) throws Exception {
        HttpsServer webhooks = HttpsServer.create(loopback(Integer.parseInt(value(arguments, WEBHOOKS))), 0);
        webhooks.setHttpsConfigurator(new HttpsConfigurator(tls(Path.of(value(arguments, CERTIFICATES)))));
        webhooks.createContext("/", GoManagerStandIn::webhook);
        webhooks.setExecutor(Executors.newCachedThreadPool());
        webhooks.start();
        String probes = value(arguments, PROBES);
        HttpServer health =
                HttpServer.create(loopback(Integer.parseInt(probes.substring(probes.lastIndexOf(':') + 1))), 0);
        health.createContext("/", exchange -> answer(exchange, 200, "ok"));
        health.start();
    }

    /** With cert-manager's key, RSA or elliptic curve. */
    private static SSLContext tls(Path folder) throws Exception {
        Path key = folder.resolve("tls.key");
        String algorithm = Files.readString(key).contains("EC PRIVATE KEY") ? "EC" : "RSA";
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                SSLUtils.keyManagers(
                        null, folder.resolve("tls.crt").toString(), null, key.toString(), algorithm, "", null, ""),
                null,
                null);
        return context;
    }

    private static void webhook(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        ObjectNode review = (ObjectNode) JSON.readTree(exchange.getRequestBody().readAllBytes());
        JsonNode request = review.remove("request");
        ObjectNode response =
                review.putObject("response").put("uid", request.path("uid").asText());
        if (path.equals("/convert")) {
            String wanted = request.path("desiredAPIVersion").asText();
            var converted = response.putArray("convertedObjects");
            if (isKnown(wanted)
                    && isKnown(
                            request.path("objects").path(0).path("apiVersion").asText())) {
                request.path("objects")
                        .forEach(object -> converted.add(((ObjectNode) object).put("apiVersion", wanted)));
                response.putObject("result").put("status", "Success");
            } else {
                response.putObject("result")
                        .put("status", "Failure")
                        .put("message", "no kind is registered for " + wanted);
            }
        } else if (path.startsWith("/validate-bootstrap-cluster-x-k8s-io-v1alpha")) {
            response.put("allowed", true);
        } else {
            answer(exchange, 404, "404 page not found");
            return;
        }
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        answer(exchange, 200, JSON.writeValueAsString(review));
    }

    private static boolean isKnown(String version) {
        return version.matches(".*/v1alpha[123]");
    }

    private static void answer(HttpExchange exchange, int code, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress("127.0.0.1", port);
    }

    private static String value(String[] arguments, String flag) {
        return List.of(arguments).stream()
                .filter(argument -> argument.startsWith(flag))
                .map(argument -> argument.substring(flag.length()))
                .reduce((first, last) -> last)
                .orElseThrow();
    }
}
