package io.capoa.api.client;

import static org.assertj.core.api.Assertions.assertThat;

import okhttp3.CipherSuite;
import okhttp3.ConnectionSpec;
import org.junit.jupiter.api.Test;

class ClientCiphersTest {

    @Test
    void chachaIsOfferedFirst_andNothingElseChanges() {
        ConnectionSpec spec = ClientCiphers.CHEAP_FIRST.getFirst();
        assertThat(spec.cipherSuites())
                .startsWith(CipherSuite.TLS_CHACHA20_POLY1305_SHA256)
                .containsExactlyInAnyOrderElementsOf(ConnectionSpec.MODERN_TLS.cipherSuites());
        assertThat(spec.tlsVersions()).isEqualTo(ConnectionSpec.MODERN_TLS.tlsVersions());
        assertThat(ClientCiphers.CHEAP_FIRST).endsWith(ConnectionSpec.CLEARTEXT);
    }
}
