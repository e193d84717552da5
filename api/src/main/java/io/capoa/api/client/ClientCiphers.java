package io.capoa.api.client;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import okhttp3.CipherSuite;
import okhttp3.ConnectionSpec;

/** The cipher suites that clients of the managers and of the lab offer. */
public final class ClientCiphers {

    /**
     * okhttp's cipher suites with ChaCha20 first, or no TLS where the address asks for none: the clients' JVMs stop at the C1
     * compiler, where AES costs five times as much. A server that prefers AES still gets AES.
     */
    public static final List<ConnectionSpec> CHEAP_FIRST = List.of(
            new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS)
                    .cipherSuites(chachaFirst(Objects.requireNonNull(ConnectionSpec.MODERN_TLS.cipherSuites())))
                    .build(),
            ConnectionSpec.CLEARTEXT);

    private ClientCiphers() {}

    private static CipherSuite[] chachaFirst(List<CipherSuite> suites) {
        return suites.stream()
                .sorted(Comparator.comparing(suite -> !suite.equals(CipherSuite.TLS_CHACHA20_POLY1305_SHA256)))
                .toArray(CipherSuite[]::new);
    }
}
