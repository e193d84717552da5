package io.capoa.lab.provider;

import io.capoa.lab.cluster.ChildCommand;
import io.capoa.lab.cluster.ChildProcess;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.TestCluster;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One provider, started as its users start it: the built jar, its flags, a kubeconfig of its own user. */
public final class ProviderProcess implements AutoCloseable {

    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final Duration BETWEEN_PROBES = Duration.ofMillis(25);

    /** What a small manager needs, see the measurements in the documentation of the images. */
    private static final List<String> JVM = List.of(
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-XX:TieredStopAtLevel=1",
            "-Xms16m",
            "-Xmx128m",
            "-Xss256k",
            "-XX:ReservedCodeCacheSize=32m");

    private final Provider provider;
    private final ChildProcess child;
    private final URI readiness;

    private ProviderProcess(Provider provider, ChildProcess child, URI readiness) {
        this.provider = provider;
        this.child = child;
        this.readiness = readiness;
    }

    /**
     * Starts the provider without waiting for it.
     *
     * @param logs folder of its log file
     * @param flags in addition to the kubeconfig and the addresses of its probes and metrics
     * @param died told when it ends without having been stopped
     */
    public static ProviderProcess start(
            Provider provider, TestCluster cluster, Path logs, List<String> flags, Consumer<ChildProcess.Exit> died) {
        Path jar = provider.jar(ProjectRoot.find());
        if (!Files.exists(jar)) {
            throw new ClusterException(
                    "%s is not built: there is no %s. Run `mvn package` first.".formatted(provider.module(), jar));
        }
        int probes = freePort();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        // A class archive beside the jar, made at the first end of the program, halves the time to start.
        command.add("-XX:+AutoCreateSharedArchive");
        command.add("-XX:SharedArchiveFile=" + jar.resolveSibling(provider.module() + ".jsa"));
        command.add("-Xlog:disable");
        command.addAll(List.of("-jar", jar.toString()));
        command.add("--kubeconfig=" + cluster.kubeconfigOf(provider.user()));
        command.add("--health-probe-bind-address=127.0.0.1:" + probes);
        command.add("--metrics-bind-address=127.0.0.1:" + freePort());
        // Nobody makes certificates here, and no webhook configuration sends anything.
        command.add("--webhook-port=0");
        command.addAll(flags);
        ChildProcess child = ChildCommand.of(provider.module(), logs.resolve(provider.module() + ".log"), command)
                .withEnvironment(Map.of("MALLOC_ARENA_MAX", "1"))
                .start(died);
        return new ProviderProcess(provider, child, URI.create("http://127.0.0.1:" + probes + "/readyz"));
    }

    /**
     * Returns when the provider says that it is ready.
     *
     * @throws ClusterException when it ends or is not ready in time, with the end of its log
     */
    public void awaitReady() {
        Instant latest = Instant.now().plus(LONGEST_START);
        String answer = "no answer";
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest probe = HttpRequest.newBuilder(readiness)
                    .timeout(Duration.ofSeconds(2))
                    .build();
            while (Instant.now().isBefore(latest) && child.isAlive()) {
                try {
                    HttpResponse<String> response = http.send(probe, HttpResponse.BodyHandlers.ofString());
                    if (response.statusCode() == HttpURLConnection.HTTP_OK) {
                        return;
                    }
                    answer = response.body().strip();
                } catch (IOException e) {
                    answer = "no answer";
                }
                Thread.sleep(BETWEEN_PROBES);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while waiting for " + provider.module(), e);
        }
        throw new ClusterException("%s did not become ready (%s). The end of %s:%n  %s"
                .formatted(
                        provider.module(),
                        answer,
                        child.log(),
                        String.join(System.lineSeparator() + "  ", child.logTail())));
    }

    public Provider provider() {
        return provider;
    }

    /** The process itself. */
    public ChildProcess child() {
        return child;
    }

    @Override
    public void close() {
        child.stop();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new ClusterException("No free port on the loopback interface: " + e.getMessage(), e);
        }
    }
}
