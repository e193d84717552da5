package io.capoa.lab.host;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Makes TLS contexts that trust given CA certificates and no others. */
final class TrustedAuthorities {

    private TrustedAuthorities() {}

    /**
     * The context of a client.
     *
     * @param bundles PEM, one or more certificates each
     * @throws CertificateException if a bundle has none
     */
    static SSLContext of(List<String> bundles) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        int number = 0;
        for (String pem : bundles) {
            var certificates =
                    factory.generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
            if (certificates.isEmpty()) {
                throw new CertificateException("no certificate");
            }
            for (Certificate certificate : certificates) {
                store.setCertificateEntry("authority-" + number++, certificate);
            }
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
