package io.capoa.bootstrap.boot;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Certificates that TLS servers are trusted by. */
record TrustedCertificates(SSLSocketFactory sockets, X509TrustManager manager) {

    /** The system's certificates and these. */
    static TrustedCertificates with(Collection<? extends Certificate> certificates) throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        int number = 0;
        for (Certificate certificate : manager(null).getAcceptedIssuers()) {
            store.setCertificateEntry("system-" + number++, certificate);
        }
        for (Certificate certificate : certificates) {
            store.setCertificateEntry("bundle-" + number++, certificate);
        }
        X509TrustManager manager = manager(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {manager}, null);
        return new TrustedCertificates(context.getSocketFactory(), manager);
    }

    private static X509TrustManager manager(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509TrustManager.class::isInstance)
                .map(X509TrustManager.class::cast)
                .findFirst()
                .orElseThrow(() -> new GeneralSecurityException("no X.509 trust manager"));
    }
}
