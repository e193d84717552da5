package io.capoa.bootstrap.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.bootstrap.boot.ServiceAuthorities.Certificates;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ServiceAuthoritiesTest {

    private final List<ResourceID> woken = new ArrayList<>();
    private final ServiceAuthorities authorities = new ServiceAuthorities(woken::add);
    private final ResourceID config = new ResourceID("c", "ns");

    @Test
    void whereNoneAreConfigured_theSystemsSuffice() {
        assertThat(authorities.request(config)).isEqualTo(Certificates.NONE);
    }

    @Test
    void aConfigThatHasAsked_isReconciledWhenTheyChange() throws CertificateEncodingException {
        authorities.unknown("Secret ns/ca does not exist");
        assertThat(authorities.request(config)).isEqualTo(new Certificates.Unknown("Secret ns/ca does not exist"));

        authorities.known(List.of(certificate("one")));
        authorities.known(List.of(certificate("one")));

        assertThat(woken).containsExactly(config);
        assertThat(authorities.request(config))
                .isEqualTo(new Certificates.Known("-----BEGIN CERTIFICATE-----\nb25l\n-----END CERTIFICATE-----\n"));

        authorities.forget(config);
        authorities.known(List.of());
        assertThat(woken).hasSize(1);
    }

    @Test
    void aPlaceThatIsReadOnDemand_isReadWhileTheyAreUnknown() throws CertificateEncodingException {
        AtomicInteger lookups = new AtomicInteger();
        authorities.lookUpWith(lookups::incrementAndGet, "is being read");

        assertThat(authorities.request(config)).isEqualTo(new Certificates.Unknown("is being read"));
        assertThat(lookups).hasValue(1);

        authorities.known(List.of());
        assertThat(authorities.request(config)).isEqualTo(Certificates.NONE);
        assertThat(lookups).hasValue(1);
        assertThat(woken).containsExactly(config);
    }

    private static Certificate certificate(String content) {
        return new Certificate("X.509") {
            @Override
            public byte[] getEncoded() {
                return content.getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public void verify(PublicKey key) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void verify(PublicKey key, String provider) {
                throw new UnsupportedOperationException();
            }

            @Override
            public String toString() {
                return content;
            }

            @Override
            public PublicKey getPublicKey() {
                throw new UnsupportedOperationException();
            }
        };
    }
}
