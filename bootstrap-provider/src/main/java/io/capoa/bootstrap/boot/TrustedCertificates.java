package io.capoa.bootstrap.boot;

import io.capoa.runtime.tls.ServerTrust;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Certificates that TLS servers are trusted by. */
record TrustedCertificates(SSLSocketFactory sockets, X509TrustManager manager) {

    /** The system's certificates and these. */
    static TrustedCertificates with(Collection<? extends Certificate> certificates) throws GeneralSecurityException {
        X509TrustManager manager = ServerTrust.platformAnd(certificates);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {manager}, null);
        return new TrustedCertificates(context.getSocketFactory(), manager);
    }
}
