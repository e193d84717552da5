package io.capoa.runtime.manager;

import io.capoa.runtime.client.RequestGate;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import okhttp3.CipherSuite;
import okhttp3.ConnectionSpec;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;

/** Builds the process's one client of the management cluster; no request is sent here. */
final class ManagementClient {

    /** fabric8 repeats what a server answered with 5xx or 429; a reconcile is retried anyway, so not for long. */
    private static final int RETRIES_PER_REQUEST = 2;

    /**
     * All that okhttp would offer, but first the cipher that needs no instruction of its own: the manager's code is
     * compiled quickly and not far, and AES is then several times as dear. A server that wants AES takes AES.
     */
    private static final ConnectionSpec CHEAP_FIRST = new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS)
            .cipherSuites(chachaFirst(Objects.requireNonNull(ConnectionSpec.MODERN_TLS.cipherSuites())))
            .build();

    private ManagementClient() {}

    private static CipherSuite[] chachaFirst(List<CipherSuite> suites) {
        return suites.stream()
                .sorted(Comparator.comparing(suite -> !suite.equals(CipherSuite.TLS_CHACHA20_POLY1305_SHA256)))
                .toArray(CipherSuite[]::new);
    }

    static KubernetesClient create(ManagerDescription description, ManagerOptions options, RequestMeter meter) {
        var config = new ConfigBuilder(config(options))
                .withUserAgent(description.userAgent())
                .withRequestRetryBackoffLimit(RETRIES_PER_REQUEST)
                .build();
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientFactory(new Http(meter))
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor(
                        RequestGate.NAME, new RequestGate(URI.create(config.getMasterUrl()))))
                .withTaskExecutor(virtualThreads("client-"))
                .withKubernetesSerialization(new ObjectReading(description.fieldManager()))
                .build();
    }

    /** What arrives is handed from one to the next without waking a thread of the system each time. */
    private static ExecutorService virtualThreads(String name) {
        return Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name(name, 0).factory());
    }

    /** The flag's file, else what fabric8 finds: {@code $KUBECONFIG}, {@code ~/.kube/config}, service account. */
    private static Config config(ManagerOptions options) {
        var file = options.kubeconfigFile();
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

    /** okhttp without limits of its own (reconciles are capped already) and with virtual threads. */
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
            builder.addInterceptor(meter).connectionSpecs(List.of(CHEAP_FIRST, ConnectionSpec.CLEARTEXT));
        }
    }
}
