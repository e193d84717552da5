package io.capoa.controlplane.release;

import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.runtime.proxy.EnvironmentProxy;
import io.capoa.runtime.proxy.ProxyLogin;
import io.capoa.runtime.tls.ServerTrust;
import io.capoa.runtime.untrusted.AnswerLimit;
import io.capoa.runtime.untrusted.UntrustedServers;
import java.io.IOException;
import java.net.ProxySelector;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttpClient;

/** HTTP clients by trusted certificates; all share one connection pool. */
final class HttpClients {

    private static final int MOST = 64;

    private final OkHttpClient common;
    private final AnswerLimit usual;
    private final OkHttpClient plain;
    private final Map<String, OkHttpClient> byTrust = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, OkHttpClient> eldest) {
            return size() > MOST;
        }
    };

    private static final String REGISTRY = "registry";

    HttpClients(RegistryLimits limits, Map<String, String> environment) {
        EnvironmentProxy proxies = new EnvironmentProxy(environment, ProxySelector.getDefault());
        this.common = new OkHttpClient.Builder()
                .connectTimeout(limits.timeouts().connect())
                .readTimeout(limits.timeouts().silence())
                .writeTimeout(limits.timeouts().silence())
                .proxySelector(proxies)
                .proxyAuthenticator(new ProxyLogin(proxies))
                .build();
        this.usual = new AnswerLimit(limits.manifest());
        this.plain = UntrustedServers.guard(common.newBuilder(), REGISTRY, usual, false)
                .build();
    }

    /**
     * The client for a registry.
     *
     * @param insecure any certificate is accepted, because the user said so for this registry
     * @param caBundle PEM certificates that are trusted besides the platform's; empty for none
     * @throws IOException the bundle holds no certificate, or only such as have expired
     */
    synchronized OkHttpClient client(boolean insecure, String caBundle) throws IOException {
        if (!insecure && caBundle.isBlank()) {
            return plain;
        }
        String key = insecure ? "insecure" : Fingerprint.of(caBundle);
        OkHttpClient known = byTrust.get(key);
        if (known != null) {
            return known;
        }
        try {
            X509TrustManager trust = insecure ? new TrustAll() : trust(caBundle);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {trust}, new SecureRandom());
            // From HTTPS to HTTP would betray what the user meant to protect, unless that is nothing.
            OkHttpClient.Builder builder = UntrustedServers.guard(common.newBuilder(), REGISTRY, usual, insecure)
                    .sslSocketFactory(context.getSocketFactory(), trust);
            if (insecure) {
                builder.hostnameVerifier((host, session) -> true);
            }
            OkHttpClient client = builder.build();
            byTrust.put(key, client);
            return client;
        } catch (GeneralSecurityException e) {
            throw new IOException("the CA bundle cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Java trusts an authority by its key for ever; the hosts and assisted-service, which read the same images, do not
     * trust one that has expired.
     */
    private static X509TrustManager trust(String caBundle) throws GeneralSecurityException {
        List<X509Certificate> all = UntrustedContent.certificates(caBundle.getBytes(StandardCharsets.UTF_8));
        Instant now = Instant.now();
        List<X509Certificate> valid = all.stream()
                .filter(certificate -> !now.isAfter(certificate.getNotAfter().toInstant()))
                .toList();
        if (valid.isEmpty() && !all.isEmpty()) {
            X509Certificate first = all.getFirst();
            throw new CertificateException("%s has expired on %s, and no other certificate of it is valid"
                    .formatted(
                            UntrustedContent.quoted(
                                    first.getSubjectX500Principal().getName()),
                            first.getNotAfter().toInstant()));
        }
        return ServerTrust.platformAnd(valid);
    }

    /** For registries marked {@code insecure = true} alone. */
    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            // Servers only.
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // The user asked for no check.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
