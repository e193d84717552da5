package io.capoa.lab;

import io.capoa.lab.cluster.ClusterException;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A real assisted-service that the user runs against the lab's API server.
 *
 * @param address URL of its HTTP API, such as {@code https://127.0.0.1:8090}
 * @param authority PEM file with the CA of its certificate; empty if the system trusts it or it uses plain HTTP
 */
public record RealService(URI address, Optional<Path> authority) {

    private static final String SECRET = "assisted-service-ca";
    private static final String KEY = "ca.crt";

    /** Variables of the bootstrap provider's components: URL of the ignitions, and CA to trust. */
    public Map<String, String> variables(String namespace) {
        Map<String, String> variables = new TreeMap<>();
        variables.put("ASSISTED_SERVICE_BASE_URL", address.toString());
        if (authority.isPresent()) {
            variables.put("ASSISTED_CA_BUNDLE_NAMESPACE", namespace);
            variables.put("ASSISTED_CA_BUNDLE_NAME", SECRET);
            variables.put("ASSISTED_CA_BUNDLE_RESOURCE", "secret");
            variables.put("ASSISTED_CA_BUNDLE_KEY", KEY);
        }
        return variables;
    }

    /** The Secret with the CA that {@link #variables} refers to; empty without a CA. */
    public Optional<Secret> secret(String namespace) {
        return authority.map(file -> new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(SECRET)
                .endMetadata()
                .addToStringData(KEY, read(file))
                .build());
    }

    /** TLS context with the CA for the hosts; empty without a CA. */
    public Optional<SSLContext> trust() {
        return authority.map(RealService::trusting);
    }

    private static SSLContext trusting(Path file) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int n = 0;
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)))) {
                store.setCertificateEntry("ca-" + n++, certificate);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new ClusterException("%s contains no PEM certificates: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new ClusterException("Cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }
}
