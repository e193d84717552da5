package io.capoa.controlplane.workload.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.runtime.client.InvalidNameException;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import okio.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands in pods, as a kubelet carries them (v4.channel.k8s.io). */
class PodExecTest {

    private static final int OUTPUT = 1;
    private static final int ERROR = 2;
    private static final int STATUS = 3;

    private static final String SUCCESS = """
            {"metadata":{},"status":"Success"}""";
    private static final String EXIT_CODE_3 = """
            {"metadata":{},"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[\
            {"reason":"ExitCode","message":"3"}]}}""";

    private final MockWebServer server = new MockWebServer();
    private KubernetesClient client;

    @BeforeEach
    void start() throws Exception {
        server.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(io.fabric8.kubernetes.client.Config.empty())
                        .withMasterUrl(server.url("/").toString())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void aCommand_isOneRequest_andItsChannelsAreItsResult() throws Exception {
        answers(socket -> {
            send(socket, OUTPUT, "");
            send(socket, OUTPUT, "one ");
            send(socket, ERROR, "bad");
            send(socket, OUTPUT, "two");
            send(socket, STATUS, EXIT_CODE_3);
        });

        assertThat(run("etcd-n-0", Duration.ofSeconds(10))).isEqualTo(new PodExec(3, "one two", "bad"));
        RecordedRequest request = server.takeRequest();
        assertThat(request.getTarget())
                .isEqualTo("/api/v1/namespaces/openshift-etcd/pods/etcd-n-0/exec"
                        + "?container=etcdctl&stdout=true&stderr=true&command=etcdctl&command=a%20b%26c");
        assertThat(request.getHeaders().get("Sec-WebSocket-Protocol")).isEqualTo("v4.channel.k8s.io");
        assertThat(server.getRequestCount()).isOne();
    }

    @Test
    void aCommandThatSucceeds_hasExitCode0() throws Exception {
        answers(socket -> send(socket, STATUS, SUCCESS));

        assertThat(run("p", Duration.ofSeconds(10))).isEqualTo(new PodExec(0, "", ""));
    }

    @Test
    void aCommandHasNoResult_ifItsConnectionEndsEarly_orWhatItSaysCannotBeRead() throws Exception {
        answers(socket -> socket.close(1000, ""));
        answers(socket -> send(socket, STATUS, "no JSON"));
        answers(socket -> send(socket, STATUS, "{\"status\":\"Failure\",\"reason\":\"InternalError\"}"));
        answers(socket -> {
            for (int n = 0; n < 5; n++) {
                send(socket, OUTPUT, "x".repeat(60_000));
            }
            send(socket, STATUS, SUCCESS);
        });

        for (int n = 0; n < 4; n++) {
            assertThat(run("p", Duration.ofSeconds(10)).exitCode()).isEqualTo(PodExec.NONE);
        }
    }

    @Test
    void aConnectionThatIsRefused_isAFailure() {
        server.enqueue(new MockResponse.Builder().code(403).build());

        assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> run("p", Duration.ofSeconds(10)));
    }

    @Test
    void aCommandThatDoesNotEnd_isGivenUp() {
        answers(socket -> send(socket, OUTPUT, "and so on"));

        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> run("p", Duration.ofMillis(500)));
    }

    @Test
    void aNameThatIsNone_isNotSent() {
        assertThatExceptionOfType(InvalidNameException.class)
                .isThrownBy(() -> run("../../secrets", Duration.ofSeconds(10)));
        assertThat(server.getRequestCount()).isZero();
    }

    private PodExec run(String pod, Duration patience) throws Exception {
        return PodExec.run(client, "openshift-etcd", pod, "etcdctl", List.of("etcdctl", "a b&c"), patience);
    }

    private void answers(Consumer<WebSocket> commands) {
        server.enqueue(new MockResponse.Builder()
                .webSocketUpgrade(new WebSocketListener() {
                    @Override
                    public void onOpen(WebSocket socket, Response response) {
                        commands.accept(socket);
                    }

                    @Override
                    public void onClosing(WebSocket socket, int code, String reason) {
                        socket.close(code, reason);
                    }
                })
                .addHeader("Sec-WebSocket-Protocol", "v4.channel.k8s.io")
                .build());
    }

    private static void send(WebSocket socket, int channel, String text) {
        socket.send(ByteString.encodeUtf8((char) channel + text));
    }
}
