package io.capoa.runtime.tls;

import io.capoa.api.client.ClientCiphers;
import javax.net.ssl.SSLParameters;

/**
 * TLS settings of Mozilla's "intermediate" profile, OpenShift's default. Of its cipher suites the server prefers ChaCha20,
 * for the reason that {@link ClientCiphers} gives. A client without it, as in a FIPS cluster, gets AES.
 */
final class Intermediate {

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

    private Intermediate() {}

    /** What a server of that profile takes. */
    static SSLParameters parameters() {
        SSLParameters parameters = new SSLParameters(CIPHERS, PROTOCOLS);
        parameters.setUseCipherSuitesOrder(true);
        return parameters;
    }
}
