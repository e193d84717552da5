package io.capoa.controlplane.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.runtime.client.ObjectName;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Runs a command in a container of a pod, with one request and limits for output and time. The client's own exec reads and
 * watches the pod before, which takes two more connections. Source: Kubernetes' {@code v4.channel.k8s.io}: the first byte
 * of each message names the stream, and the last message is a Status.
 */
final class PodExec {

    private static final String PROTOCOL = "v4.channel.k8s.io";
    private static final int OUTPUT = 1;
    private static final int ERROR = 2;
    private static final int STATUS = 3;
    private static final int LONGEST_OUTPUT = 256 * 1024;

    private static final ObjectMapper JSON = UntrustedContent.json();

    /** The end of a command. */
    record Result(int exitCode, String output, String error) {}

    private final KubernetesClient client;
    private final String namespace;
    private final String container;

    PodExec(KubernetesClient client, String namespace, String container) {
        this.client = client;
        this.namespace = namespace;
        this.container = container;
    }

    /**
     * Runs a command and waits for its end.
     *
     * @param command program and arguments; there is no shell
     * @throws ExecutionException if it could not be run, or its output is too long or cannot be read
     */
    Result run(String pod, List<String> command, Duration patience)
            throws ExecutionException, TimeoutException, InterruptedException {
        Streams streams = new Streams();
        CompletableFuture<WebSocket> opening = client.getHttpClient()
                .newWebSocketBuilder()
                .uri(uri(pod, command))
                .subprotocol(PROTOCOL)
                .connectTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .buildAsync(streams);
        var failed = opening.exceptionally(failure -> {
            streams.end.completeExceptionally(failure);
            return null;
        });
        try {
            return streams.end.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            var closed = opening.thenAccept(socket -> socket.sendClose(1000, "done"));
        }
    }

    private URI uri(String pod, List<String> command) {
        String words = command.stream()
                .map(word -> "command=" + URLEncoder.encode(word, StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        String url = client.getMasterUrl().toString();
        String server = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        return URI.create("%s/api/v1/namespaces/%s/pods/%s/exec?%s&container=%s&stdout=true&stderr=true"
                .formatted(server, namespace, ObjectName.require(pod), words, container));
    }

    /** Collects what the command writes until its status arrives. */
    private static final class Streams implements WebSocket.Listener {

        private final CompletableFuture<Result> end = new CompletableFuture<>();
        private final ByteArrayOutputStream output = new ByteArrayOutputStream();
        private final ByteArrayOutputStream error = new ByteArrayOutputStream();

        @Override
        public void onMessage(WebSocket socket, String text) {
            onMessage(socket, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void onMessage(WebSocket socket, ByteBuffer message) {
            if (message.hasRemaining()) {
                int stream = message.get();
                byte[] content = new byte[message.remaining()];
                message.get(content);
                take(stream, content);
            }
            socket.request();
        }

        private void take(int stream, byte[] content) {
            if (output.size() + error.size() + content.length > LONGEST_OUTPUT) {
                end.completeExceptionally(new IOException("the output is too long"));
                return;
            }
            switch (stream) {
                case OUTPUT -> output.writeBytes(content);
                case ERROR -> error.writeBytes(content);
                case STATUS -> finish(content);
                default -> {}
            }
        }

        private void finish(byte[] status) {
            try {
                end.complete(new Result(
                        exitCode(JSON.readTree(status)),
                        output.toString(StandardCharsets.UTF_8),
                        error.toString(StandardCharsets.UTF_8)));
            } catch (IOException e) {
                end.completeExceptionally(e);
            }
        }

        private static int exitCode(JsonNode status) throws IOException {
            if ("Success".equals(status.path("status").asText())) {
                return 0;
            }
            for (JsonNode cause : status.path("details").path("causes")) {
                if ("ExitCode".equals(cause.path("reason").asText())
                        && cause.path("message").asText().matches("\\d{1,3}")) {
                    return Integer.parseInt(cause.path("message").asText());
                }
            }
            throw new IOException("the command ended without an exit code");
        }

        @Override
        public void onClose(WebSocket socket, int code, String reason) {
            end.completeExceptionally(new IOException("the connection was closed before the end of the command"));
        }

        @Override
        public void onError(WebSocket socket, Throwable failure) {
            end.completeExceptionally(failure);
        }
    }
}
