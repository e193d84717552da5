package io.capoa.controlplane.workload.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.runtime.client.InvalidNameException;
import io.capoa.runtime.client.ObjectName;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.HttpUrl;

/**
 * Runs a command in a container with one request. fabric8's own way lists, watches and reads the pod before each command,
 * even when it is not asked to wait for it.
 *
 * @param exitCode of the command; {@link #NONE} if it ended without one
 * @param output what it wrote to standard output, as UTF-8
 * @param error what it wrote to standard error, as UTF-8
 */
public record PodExec(int exitCode, String output, String error) {

    /** The connection was closed early, or the command wrote more than {@value #LONGEST_OUTPUT} bytes. */
    static final int NONE = -1;

    private static final String PROTOCOL = "v4.channel.k8s.io";
    private static final int LONGEST_OUTPUT = 256 * 1024;
    private static final int NORMAL_CLOSURE = 1000;
    private static final ObjectMapper JSON = UntrustedContent.json();

    /**
     * Runs it to its end.
     *
     * @param command program and arguments, without a shell
     * @throws ExecutionException if the connection fails
     * @throws TimeoutException if the command has not ended in time; it may run on
     * @throws InvalidNameException if the pod's name is none; nothing is sent
     */
    public static PodExec run(
            KubernetesClient client,
            String namespace,
            String pod,
            String container,
            List<String> command,
            Duration patience)
            throws ExecutionException, InterruptedException, TimeoutException {
        Channels channels = new Channels();
        CompletableFuture<WebSocket> connection = client.getHttpClient()
                .newWebSocketBuilder()
                .uri(uri(client, namespace, ObjectName.require(pod), container, command))
                .subprotocol(PROTOCOL)
                .connectTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .buildAsync(channels);
        var failing = connection.whenComplete((opened, failure) -> {
            if (failure != null) {
                channels.ended.completeExceptionally(failure);
            }
        });
        try {
            return channels.ended.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            var unused = failing.thenAccept(opened -> opened.sendClose(NORMAL_CLOSURE, ""));
        }
    }

    private static URI uri(
            KubernetesClient client, String namespace, String pod, String container, List<String> command) {
        HttpUrl.Builder url = HttpUrl.get(client.getMasterUrl().toString())
                .newBuilder()
                .addPathSegments("api/v1/namespaces")
                .addPathSegment(namespace)
                .addPathSegment("pods")
                .addPathSegment(pod)
                .addPathSegment("exec")
                .addQueryParameter("container", container)
                .addQueryParameter("stdout", "true")
                .addQueryParameter("stderr", "true");
        command.forEach(word -> url.addQueryParameter("command", word));
        return url.build().uri();
    }

    /** Success, or the exit code among the causes of a failure (Kubernetes, remotecommand). */
    private static int exitCode(byte[] status) {
        try {
            JsonNode read = JSON.readTree(status);
            if (read.path("status").asText().equals("Success")) {
                return 0;
            }
            for (JsonNode cause : read.path("details").path("causes")) {
                if (cause.path("reason").asText().equals("ExitCode")) {
                    return cause.path("message").asInt(NONE);
                }
            }
        } catch (IOException unreadable) {
            // The workload cluster's, which may write anything: no exit code.
        }
        return NONE;
    }

    /** Messages come one at a time; the first byte is the number of the channel. */
    private static final class Channels implements WebSocket.Listener {

        private static final int OUTPUT = 1;
        private static final int ERROR = 2;
        private static final int STATUS = 3;

        private final ByteArrayOutputStream output = new ByteArrayOutputStream();
        private final ByteArrayOutputStream error = new ByteArrayOutputStream();
        private final CompletableFuture<PodExec> ended = new CompletableFuture<>();

        @Override
        public void onMessage(WebSocket socket, ByteBuffer message) {
            // The server opens a channel with an empty message.
            if (message.remaining() > 1) {
                int channel = message.get();
                byte[] content = new byte[message.remaining()];
                message.get(content);
                switch (channel) {
                    case OUTPUT -> take(output, content);
                    case ERROR -> take(error, content);
                    case STATUS -> end(exitCode(content));
                    default -> {}
                }
            }
            socket.request();
        }

        private void take(ByteArrayOutputStream taken, byte[] content) {
            if (taken.size() + content.length > LONGEST_OUTPUT) {
                end(NONE);
            } else {
                taken.writeBytes(content);
            }
        }

        @Override
        public void onClose(WebSocket socket, int code, String reason) {
            end(NONE);
        }

        @Override
        public void onError(WebSocket socket, Throwable failure) {
            ended.completeExceptionally(failure);
        }

        private void end(int exitCode) {
            if (!ended.isDone()) {
                ended.complete(new PodExec(
                        exitCode, output.toString(StandardCharsets.UTF_8), error.toString(StandardCharsets.UTF_8)));
            }
        }
    }
}
