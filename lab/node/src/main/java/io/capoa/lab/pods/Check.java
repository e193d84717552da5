package io.capoa.lab.pods;

import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.HTTPHeader;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** Runs a probe of a container once; like a kubelet, does not verify certificates. */
final class Check {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().sslContext(TrustsAll.context()).build();

    private final Probe probe;
    private final ToIntFunction<IntOrString> port;

    /** @param port maps a container port to its loopback port */
    Check(Probe probe, ToIntFunction<IntOrString> port) {
        this.probe = probe;
        this.port = port;
    }

    /** Whether this node supports the type of the probe. */
    static boolean isKnown(Probe probe) {
        return probe.getHttpGet() != null || probe.getTcpSocket() != null;
    }

    /** The failure; empty on success. */
    Optional<String> problem() throws InterruptedException {
        Duration timeout = Duration.ofSeconds(Objects.requireNonNullElse(probe.getTimeoutSeconds(), 1));
        try {
            return probe.getHttpGet() != null ? http(probe.getHttpGet(), timeout) : tcp(timeout);
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage() == null ? e : e.getMessage()));
        }
    }

    private Optional<String> http(HTTPGetAction action, Duration timeout) throws IOException, InterruptedException {
        String scheme = Objects.requireNonNullElse(action.getScheme(), "HTTP").toLowerCase(Locale.ROOT);
        String path = Objects.requireNonNullElse(action.getPath(), "/");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("%s://127.0.0.1:%d%s%s"
                        .formatted(scheme, port.applyAsInt(action.getPort()), path.startsWith("/") ? "" : "/", path)))
                .header("User-Agent", "kube-probe/lab")
                .timeout(timeout);
        for (HTTPHeader header : action.getHttpHeaders()) {
            request.header(header.getName(), header.getValue());
        }
        HttpResponse<String> answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        boolean well = answer.statusCode() >= 200 && answer.statusCode() < 400;
        return well
                ? Optional.empty()
                : Optional.of("HTTP probe failed with statuscode: %d: %s"
                        .formatted(answer.statusCode(), answer.body().strip()));
    }

    private Optional<String> tcp(Duration timeout) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(),
                            port.applyAsInt(probe.getTcpSocket().getPort())),
                    (int) timeout.toMillis());
            return Optional.empty();
        }
    }
}
