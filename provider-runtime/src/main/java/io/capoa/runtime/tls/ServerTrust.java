package io.capoa.runtime.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** The certificate authorities that a client trusts servers by. */
public final class ServerTrust {

    private ServerTrust() {}

    /** The authorities of the Java runtime. */
    public static X509ExtendedTrustManager platform() throws GeneralSecurityException {
        return manager(null);
    }

    /** Only these authorities. */
    public static X509ExtendedTrustManager only(Collection<? extends Certificate> authorities)
            throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        int number = 0;
        for (Certificate authority : authorities) {
            store.setCertificateEntry("authority-" + number++, authority);
        }
        return manager(store);
    }

    /** The authorities of the Java runtime, and these. */
    public static X509ExtendedTrustManager platformAnd(Collection<? extends Certificate> authorities)
            throws GeneralSecurityException {
        List<Certificate> all = new ArrayList<>(List.of(platform().getAcceptedIssuers()));
        all.addAll(authorities);
        return only(all);
    }

    private static X509ExtendedTrustManager manager(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509ExtendedTrustManager.class::isInstance)
                .map(X509ExtendedTrustManager.class::cast)
                .findFirst()
                .orElseThrow(() -> new GeneralSecurityException("no X.509 trust manager"));
    }
}
