package io.capoa.controlplane.workload.client;

import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.runtime.tls.ClientCertificate;
import io.capoa.runtime.tls.ServerTrust;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS with a workload cluster: the authorities of its kubeconfig and no others, and its client certificate. fabric8 would
 * trust those of the Java runtime as well, for 55 KiB a client, and keep the key in a key store, for 50 ms of CPU time.
 *
 * @param trust the Java runtime's authorities if the kubeconfig names none
 * @param client the client's certificates, its own first; empty if it has none
 */
public record WorkloadTls(SSLSocketFactory sockets, ServedChain trust, List<X509Certificate> client) {

    /**
     * TLS as a kubeconfig has it.
     *
     * @throws IllegalArgumentException if authorities, certificate or key cannot be read; the message has no content
     */
    public static WorkloadTls of(WorkloadKubeconfig kubeconfig) {
        ServedChain trust = new ServedChain(trust(kubeconfig.authority()));
        ClientCertificate identity = identity(kubeconfig.certificate(), kubeconfig.key());
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    identity == null ? new KeyManager[0] : new KeyManager[] {identity},
                    new TrustManager[] {trust},
                    null);
            return new WorkloadTls(context.getSocketFactory(), trust, identity == null ? List.of() : identity.chain());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a Java runtime without TLS", e);
        }
    }

    /** Certificates that should have been renewed by now, as far as the server has shown its own. */
    ClusterCertificates certificates(Instant now) {
        return ClusterCertificates.of(client, trust.last(), now);
    }

    private static X509ExtendedTrustManager trust(@Nullable String authority) {
        try {
            if (authority == null) {
                return ServerTrust.platform();
            }
            Collection<? extends Certificate> authorities = UntrustedContent.certificates(decoded(authority));
            if (!authorities.isEmpty()) {
                return ServerTrust.only(authorities);
            }
            throw new CertificateException("no certificate");
        } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    "the kubeconfig's certificate-authority-data holds no certificates in PEM", unreadable);
        }
    }

    private static @Nullable ClientCertificate identity(@Nullable String certificate, @Nullable String key) {
        if (certificate == null || key == null) {
            return null;
        }
        try {
            return ClientCertificate.of(decoded(certificate), decoded(key));
        } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    "the kubeconfig's client-certificate-data and client-key-data are no certificate with its key in PEM",
                    unreadable);
        }
    }

    private static byte[] decoded(String base64) {
        return Base64.getMimeDecoder().decode(base64);
    }
}
