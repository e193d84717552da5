package io.capoa.lab.workload;

import java.net.Socket;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Requests client certificates as kube-apiserver does ({@code tls.RequestClientCert}): the handshake names the authority
 * and proves that the client has the key, but succeeds with any certificate and without one. The certificate is verified for
 * each request, which a cluster answers with 401 if it does not know the signer.
 *
 * <p>All clusters share one listener, so the authority stands only for the name that the signers of all clusters have.
 */
final class ClientCertificateRequest extends X509ExtendedTrustManager {

    private final X509Certificate authority;

    ClientCertificateRequest(X509Certificate authority) {
        this.authority = authority;
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[] {authority};
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {
        // Workload verifies it.
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
        // Workload verifies it.
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
        // Workload verifies it.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
        throw new UnsupportedOperationException("not for clients");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
        throw new UnsupportedOperationException("not for clients");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
        throw new UnsupportedOperationException("not for clients");
    }
}
