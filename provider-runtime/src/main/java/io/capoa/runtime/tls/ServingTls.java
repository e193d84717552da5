package io.capoa.runtime.tls;

import io.capoa.api.client.ClientCiphers;
import io.capoa.runtime.http.SocketLayer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** The TLS of one server. */
public final class ServingTls {

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private static final String[] CIPHERS = {
        "TLS_CHACHA20_POLY1305_SHA256",
        "TLS_AES_128_GCM_SHA256",
        "TLS_AES_256_GCM_SHA384",
        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
        "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384"
    };

    private static final int RESUMED_SECONDS = 300;

    private final Certificates certificates;
    private final Supplier<Optional<String>> problem;
    private final @Nullable ClientAuthorities clients;

    private ServingTls(
            Certificates certificates, Supplier<Optional<String>> problem, @Nullable ClientAuthorities clients) {
        this.certificates = certificates;
        this.problem = problem;
        this.clients = clients;
    }

    /**
     * With the certificate in a folder.
     *
     * @param folder of {@code tls.crt} and {@code tls.key}, which may appear and change at any time
     * @param what is served, in the plural, such as {@code Webhooks}
     * @param remedy sentence on how the files come to be
     */
    public static ServingTls ofFolder(Path folder, String what, String remedy, Clock clock) {
        CertificateFolder certificates = new CertificateFolder(folder, what, remedy, clock);
        return new ServingTls(certificates, certificates::problem, null);
    }

    /** With a certificate of the process's own, which no client can verify. */
    public static ServingTls selfSigned(String name, Clock clock) {
        return new ServingTls(new SelfSigned(name, clock), Optional::empty, null);
    }

    /**
     * The same, which verifies the certificates of clients that have one.
     *
     * @param authorities file of certificates in PEM, which may appear and change at any time
     */
    public ServingTls verifyingClients(Path authorities) {
        ClientAuthorities verifying = new ClientAuthorities(authorities);
        return new ServingTls(certificates, () -> problem.get().or(verifying::problem), verifying);
    }

    /** For the listener. */
    public SocketLayer layer() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManager[] trusting = clients == null ? null : new TrustManager[] {clients};
            context.init(new KeyManager[] {new CertificateChoice(certificates)}, trusting, null);
            SSLParameters parameters = intermediate();
            if (clients != null) {
                parameters.setWantClientAuth(true);
                // A client is not verified again when it resumes a session.
                context.getServerSessionContext().setSessionTimeout(RESUMED_SECONDS);
            }
            return SocketLayer.tls(context, parameters);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    /** Why connections fail, and the remedy; empty if they succeed. */
    public Optional<String> problem() {
        return problem.get();
    }

    /**
     * TLS settings of Mozilla's "intermediate" profile, OpenShift's default. Of its cipher suites the server prefers ChaCha20,
     * for the reason that {@link ClientCiphers} gives. A client without it, as in a FIPS cluster, gets AES.
     */
    private static SSLParameters intermediate() {
        SSLParameters parameters = new SSLParameters(CIPHERS, PROTOCOLS);
        parameters.setUseCipherSuitesOrder(true);
        return parameters;
    }
}
