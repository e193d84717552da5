package io.capoa.runtime.connection;

import io.capoa.runtime.client.RequestGate;
import io.capoa.runtime.failure.StartFailure;
import io.capoa.runtime.tls.ClientCiphers;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.impl.KubernetesClientImpl;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;

/** Builds the process's only client of the management cluster. */
public final class ManagementClient {

    /** fabric8 retries 5xx and 429; few times here, because the reconcile is retried anyway. */
    private static final int RETRIES_PER_REQUEST = 2;

    private ManagementClient() {}

    /**
     * Builds the client; sends no request.
     *
     * @param kubeconfig that a flag names; by default {@code $KUBECONFIG}, {@code ~/.kube/config} or the service account
     * @param manager field manager whose managed fields are kept
     * @throws StartFailure if no configuration can be read
     */
    public static KubernetesClient create(
            Optional<Path> kubeconfig, String userAgent, String manager, MeterRegistry meters) {
        return of(config(kubeconfig), userAgent, manager, meters);
    }

    static KubernetesClient of(Config found, String userAgent, String manager, MeterRegistry meters) {
        var config = new ConfigBuilder(found)
                .withUserAgent(userAgent)
                .withRequestRetryBackoffLimit(RETRIES_PER_REQUEST)
                .build();
        HttpClient.Factory factory = new Http(new RequestMeter(meters));
        HttpClient http = factory.newBuilder(config)
                .addOrReplaceInterceptor(RequestGate.NAME, new RequestGate(URI.create(config.getMasterUrl())))
                .build();
        var tasks = virtualThreads("client-");
        Duration patience = Duration.ofMillis(config.getRequestTimeout());
        return new KubernetesClientImpl(
                new StreamedWatches(http, patience), config, () -> tasks, new ObjectReading(manager));
    }

    /** Virtual threads: waking a platform thread for each message costs more. */
    private static ExecutorService virtualThreads(String name) {
        return Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name(name, 0).factory());
    }

    private static Config config(Optional<Path> file) {
        if (file.isPresent()) {
            return read(file.get(), "--kubeconfig");
        }
        var variable = System.getenv("KUBECONFIG");
        if (variable != null && !variable.isBlank() && variable.indexOf(java.io.File.pathSeparatorChar) < 0) {
            return read(Path.of(variable), "KUBECONFIG");
        }
        var found = Config.autoConfigure(null);
        if (found.getFile() == null && found.getOauthToken() == null && found.getAutoOAuthToken() == null) {
            throw new StartFailure("No management cluster is known: give --kubeconfig FILE, set KUBECONFIG, or run in a"
                    + " pod with a service account.");
        }
        return found;
    }

    private static Config read(Path file, String source) {
        if (!Files.isReadable(file)) {
            throw new StartFailure(source + " names " + file + ", which cannot be read.");
        }
        try {
            var config = Config.fromKubeconfig(file.toFile());
            TokenFile.of(file).ifPresent(config::setOauthTokenProvider);
            return config;
        } catch (RuntimeException e) {
            throw new StartFailure(source + " names " + file + ", which is not a kubeconfig.", e);
        }
    }

    /** okhttp without limits of its own, since reconciles are limited already, and with virtual threads. */
    private static final class Http extends OkHttpClientFactory {

        private final RequestMeter meter;

        private Http(RequestMeter meter) {
            this.meter = meter;
        }

        @Override
        protected Dispatcher initDispatcher() {
            var dispatcher = new Dispatcher(virtualThreads("request-"));
            dispatcher.setMaxRequests(Integer.MAX_VALUE);
            dispatcher.setMaxRequestsPerHost(Integer.MAX_VALUE);
            return dispatcher;
        }

        @Override
        protected void additionalConfig(OkHttpClient.Builder builder) {
            builder.addInterceptor(meter).connectionSpecs(ClientCiphers.CHEAP_FIRST);
        }
    }
}
