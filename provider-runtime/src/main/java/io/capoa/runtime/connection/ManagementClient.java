package io.capoa.runtime.connection;

import io.capoa.api.client.ClientCiphers;
import io.capoa.api.client.ClosableBodies;
import io.capoa.runtime.client.RequestGate;
import io.capoa.runtime.client.ThreadWrites;
import io.capoa.runtime.failure.StartFailure;
import io.capoa.runtime.threads.VirtualThreads;
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
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;

/** Builds the process's clients of the management cluster: one for the Lease, one for everything else. */
public final class ManagementClient {

    /** fabric8 retries 5xx and 429; few times here, because the reconcile is retried anyway. */
    private static final int RETRIES_PER_REQUEST = 2;

    private ManagementClient() {}

    /**
     * Builds the client; sends no request.
     *
     * @param kubeconfig that a flag names; by default {@code $KUBECONFIG}, {@code ~/.kube/config} or the service account
     * @param manager field manager whose managed fields are kept
     * @param mayWrite asked before each write, see {@link WriteFence}
     * @throws StartFailure if no configuration can be read
     */
    public static KubernetesClient create(
            Optional<Path> kubeconfig,
            String userAgent,
            String manager,
            MeterRegistry meters,
            BooleanSupplier mayWrite) {
        return of(config(kubeconfig), userAgent, manager, meters, mayWrite);
    }

    /**
     * Builds a client with connections and threads of its own, for requests that must not wait for others; it may always
     * write.
     *
     * @param threads for its requests
     */
    public static KubernetesClient createApart(
            Optional<Path> kubeconfig, String userAgent, String manager, MeterRegistry meters, ThreadFactory threads) {
        return apart(config(kubeconfig), userAgent, manager, meters, threads);
    }

    static KubernetesClient apart(
            Config found, String userAgent, String manager, MeterRegistry meters, ThreadFactory threads) {
        return of(
                found,
                userAgent,
                manager,
                new Http(
                        Executors.newCachedThreadPool(threads),
                        builder -> builder.addInterceptor(new RequestMeter(meters))),
                Executors.newCachedThreadPool(threads));
    }

    static KubernetesClient of(
            Config found, String userAgent, String manager, MeterRegistry meters, BooleanSupplier mayWrite) {
        return of(
                found,
                userAgent,
                manager,
                new Http(
                        virtualThreads("request-"),
                        builder -> builder.addInterceptor(new RequestMeter(meters))
                                .addNetworkInterceptor(new WriteFence(mayWrite))),
                virtualThreads("client-"));
    }

    private static KubernetesClient of(
            Config found, String userAgent, String manager, HttpClient.Factory factory, ExecutorService tasks) {
        var config = new ConfigBuilder(found)
                .withUserAgent(userAgent)
                .withRequestRetryBackoffLimit(RETRIES_PER_REQUEST)
                .build();
        HttpClient http = factory.newBuilder(config)
                .addOrReplaceInterceptor(RequestGate.NAME, new RequestGate(URI.create(config.getMasterUrl())))
                .addOrReplaceInterceptor(ThreadWrites.NAME, new ThreadWrites())
                .build();
        Duration patience = Duration.ofMillis(config.getRequestTimeout());
        return new KubernetesClientImpl(
                new StreamedWatches(http, patience), config, () -> tasks, new ObjectReading(manager));
    }

    /** Virtual threads: waking a platform thread for each message costs more. */
    private static ExecutorService virtualThreads(String name) {
        return VirtualThreads.perTask(name);
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

    /** okhttp without limits of its own, since reconciles are limited already. */
    private static final class Http extends OkHttpClientFactory {

        private final ExecutorService threads;
        private final Consumer<OkHttpClient.Builder> interceptors;

        private Http(ExecutorService threads, Consumer<OkHttpClient.Builder> interceptors) {
            this.threads = threads;
            this.interceptors = interceptors;
        }

        @Override
        protected Dispatcher initDispatcher() {
            var dispatcher = new Dispatcher(threads);
            dispatcher.setMaxRequests(Integer.MAX_VALUE);
            dispatcher.setMaxRequestsPerHost(Integer.MAX_VALUE);
            return dispatcher;
        }

        @Override
        protected void additionalConfig(OkHttpClient.Builder builder) {
            builder.addInterceptor(new ClosableBodies()).addInterceptor(new BoundedPages());
            interceptors.accept(builder);
            builder.connectionSpecs(ClientCiphers.CHEAP_FIRST);
        }
    }
}
