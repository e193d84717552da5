package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import com.sun.net.httpserver.HttpServer;
import io.capoa.lab.cluster.ClusterException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.AccessDeniedException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What is printed about a failure. */
class ExitCodeTest {

    private final StringWriter printed = new StringWriter();

    @Test
    void aRequestThatTimesOut_isNamed_andNotTakenForAFailureOfFiles() throws IOException {
        HttpServer silent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        CountDownLatch over = new CountDownLatch(1);
        silent.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        silent.createContext("/", exchange -> {
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        silent.start();
        try {
            RuntimeException failure = failureOfARequest(silent.getAddress().getPort(), 300);

            assertThat(explain(failure)).isEqualTo(ExitCode.FAILED);

            assertThat(printed.toString())
                    .startsWith("A request timed out: Operation: [get]")
                    .contains("[late]", "Start again: programs that are downloaded or built stay")
                    .doesNotContain("files", "disk", "\tat ");
            assertThat(Unanswered.during(Optional.of("creating the CustomResourceDefinitions"), failure))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageStartingWith("The lab did not start, while creating the CustomResourceDefinitions."
                            + " A request timed out: Operation: [get]");
        } finally {
            over.countDown();
            silent.stop(0);
        }
    }

    @Test
    void aServerThatIsGone_isNotTakenForAFailureOfFiles() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }

        assertThat(explain(failureOfARequest(port, 60_000))).isEqualTo(ExitCode.FAILED);

        assertThat(printed.toString())
                .startsWith("A request failed: Operation: [get]")
                .doesNotContain("files", "disk", "\tat ");
    }

    @Test
    void aTimeoutOfAnotherConnection_isNamed() {
        explain(new IllegalStateException(new SocketTimeoutException("Read timed out")));

        assertThat(printed.toString())
                .startsWith("A request timed out: java.net.SocketTimeoutException: Read timed out. ");
    }

    @Test
    void aFailureOfFiles_saysWhatToDo() {
        explain(new UncheckedIOException(new AccessDeniedException("/state/report.json")));

        assertThat(printed.toString())
                .startsWith("The lab cannot read or write its files: /state/report.json. Free disk space");
    }

    @Test
    void aKnownFailure_isPrintedAsItIs_withItsCode() {
        ClusterException known = new ClusterException("No etcd.", new SocketTimeoutException("late"));

        assertThat(explain(known)).isEqualTo(ExitCode.FAILED);

        assertThat(printed.toString()).isEqualToIgnoringNewLines("No etcd.");
        assertThat(Unanswered.during(Optional.of("looking"), known)).isSameAs(known);
    }

    @Test
    void anUnknownFailure_hasItsStackTrace() {
        IllegalStateException unknown = new IllegalStateException("surprise");

        explain(unknown);

        assertThat(printed.toString()).contains("surprise", "\tat ");
        assertThat(Unanswered.during(Optional.of("looking"), unknown)).isSameAs(unknown);
    }

    private static RuntimeException failureOfARequest(int port, int timeoutMillis) {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + port)
                .withRequestTimeout(timeoutMillis)
                .withRequestRetryBackoffLimit(0)
                .build();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            return catchRuntimeException(
                    () -> client.namespaces().withName("late").get());
        }
    }

    private int explain(Exception failure) {
        CommandLine command = Up.commandLine().setErr(new PrintWriter(printed));
        return ExitCode.explain(failure, command, command.parseArgs());
    }
}
