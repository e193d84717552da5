package io.capoa.controlplane.workload;

import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.runtime.tls.ClientCertificate;
import io.capoa.runtime.tls.ServerTrust;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.util.Base64;
import java.util.Collection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS with a workload cluster: the authorities of its kubeconfig and no others, and its client certificate. fabric8 would
 * trust those of the Java runtime as well, for 55 KiB a client, and keep the key in a key store, for 50 ms of CPU time.
 *
 * @param trust the Java runtime's authorities if the kubeconfig names none
 */
record WorkloadTls(SSLSocketFactory sockets, X509TrustManager trust) {

    /**
     * TLS as a kubeconfig has it.
     *
     * @throws IllegalArgumentException if authorities, certificate or key cannot be read; the message has no content
     */
    static WorkloadTls of(WorkloadKubeconfig kubeconfig) {
        X509TrustManager trust = trust(kubeconfig.authority());
        KeyManager[] identity = identity(kubeconfig.certificate(), kubeconfig.key());
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(identity, new TrustManager[] {trust}, null);
            return new WorkloadTls(context.getSocketFactory(), trust);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a Java runtime without TLS", e);
        }
    }

    private static X509TrustManager trust(@Nullable String authority) {
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

    private static KeyManager[] identity(@Nullable String certificate, @Nullable String key) {
        if (certificate == null || key == null) {
            return new KeyManager[0];
        }
        try {
            return new KeyManager[] {ClientCertificate.of(decoded(certificate), decoded(key))};
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
