package io.capoa.lab.extension;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.capoa.api.contract.ExtensionConfig;
import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * Posts requests to runtime extensions as Cluster API does: with the Service's name in the certificate and without a
 * Content-Type. A Service is reached at its EndpointSlices, because the lab has no proxy for cluster IPs.
 */
final class HookClient {

    private static final String PREFIX = "/hooks.runtime.cluster.x-k8s.io/v1alpha1/";
    private static final JsonMapper JSON = new JsonMapper();
    private static final TypeReference<TreeMap<String, Object>> OBJECT = new TypeReference<>() {};

    private final KubernetesClient client;

    HookClient(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Calls a hook.
     *
     * @param path of the hook below the version
     * @throws HookFailure unless the response has status Success
     */
    Map<String, Object> post(ExtensionConfig config, String path, Duration timeout, Map<String, ?> request) {
        String title = config.getMetadata().getName() + " (" + path + ")";
        OkHttpClient http = http(config, timeout);
        try (Response response = http.newCall(new Request.Builder()
                        .url(base(config) + PREFIX + path + "?timeout=" + timeout.toSeconds() + "s")
                        .post(RequestBody.create(JSON.writeValueAsBytes(request), null))
                        .build())
                .execute()) {
            if (response.code() != 200) {
                throw new HookFailure(title + " answered " + response.code());
            }
            Map<String, Object> answer = JSON.readValue(response.body().bytes(), OBJECT);
            if (!"Success".equals(answer.get("status"))) {
                throw new HookFailure(title + " failed: " + answer.get("message"));
            }
            return answer;
        } catch (IOException e) {
            throw new HookFailure(title + " did not answer: " + e);
        } finally {
            http.dispatcher().executorService().shutdown();
            http.connectionPool().evictAll();
        }
    }

    private String base(ExtensionConfig config) {
        String url = Fields.string(config, "spec", "clientConfig", "url");
        if (url != null) {
            return url.replaceFirst("/$", "");
        }
        String name = Fields.string(config, "spec", "clientConfig", "service", "name");
        String namespace = Fields.string(config, "spec", "clientConfig", "service", "namespace");
        String path = Objects.requireNonNullElse(Fields.string(config, "spec", "clientConfig", "service", "path"), "");
        List<EndpointSlice> slices = client.discovery()
                .v1()
                .endpointSlices()
                .inNamespace(namespace)
                .withLabel("kubernetes.io/service-name", name)
                .list()
                .getItems();
        int port = slices.stream()
                .filter(slice -> !slice.getEndpoints().isEmpty())
                .flatMap(slice -> slice.getPorts().stream())
                .findFirst()
                .orElseThrow(() -> new HookFailure("Service " + namespace + "/" + name + " has no endpoints"))
                .getPort();
        return "https://" + name + "." + namespace + ".svc:" + port + path.replaceFirst("/$", "");
    }

    private static OkHttpClient http(ExtensionConfig config, Duration timeout) {
        X509TrustManager trust = trust(Fields.string(config, "spec", "clientConfig", "caBundle"));
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new X509TrustManager[] {trust}, null);
            return new OkHttpClient.Builder()
                    .dns(host -> List.of(
                            host.endsWith(".svc") ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host)))
                    .callTimeout(timeout)
                    .followRedirects(false)
                    .sslSocketFactory(context.getSocketFactory(), trust)
                    .build();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private static X509TrustManager trust(@org.jspecify.annotations.Nullable String bundle) {
        if (bundle == null) {
            throw new HookFailure("spec.clientConfig.caBundle is empty");
        }
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(
                            new ByteArrayInputStream(Base64.getDecoder().decode(bundle)))) {
                store.setCertificateEntry("ca-" + number++, certificate);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return (X509TrustManager) factory.getTrustManagers()[0];
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new HookFailure("spec.clientConfig.caBundle cannot be read: " + e.getMessage());
        }
    }
}
