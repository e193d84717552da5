package io.capoa.lab.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECPrivateKeySpec;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class PemTest {

    /** RFC 5915: SEQUENCE, version 1, the number in 32 bytes, the curve, the public key. */
    @Test
    void anEcKey_isWrittenInSec1_alsoASmallNumber() throws Exception {
        KeyPair keys = X509Encoder.newKeys();
        ECPublicKey owner = (ECPublicKey) keys.getPublic();
        for (ECPrivateKey key : new ECPrivateKey[] {(ECPrivateKey) keys.getPrivate(), withNumber(owner, 5)}) {
            byte[] der = decoded(Pem.of(key, owner));
            assertThat(Arrays.copyOf(der, 7)).containsExactly(0x30, 0x77, 2, 1, 1, 4, 32);
            assertThat(new BigInteger(1, Arrays.copyOfRange(der, 7, 39))).isEqualTo(key.getS());
            assertThat(Arrays.copyOfRange(der, 39, 51))
                    .containsExactly(0xa0, 0x0a, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7);
            assertThat(Arrays.copyOfRange(der, 51, 57)).containsExactly(0xa1, 0x44, 3, 0x42, 0, 4);
            assertThat(new BigInteger(1, Arrays.copyOfRange(der, 57, 89)))
                    .isEqualTo(owner.getW().getAffineX());
            assertThat(der).hasSize(121);
        }
    }

    private static ECPrivateKey withNumber(ECPublicKey owner, long number) throws GeneralSecurityException {
        return (ECPrivateKey) KeyFactory.getInstance("EC")
                .generatePrivate(new ECPrivateKeySpec(BigInteger.valueOf(number), owner.getParams()));
    }

    private static byte[] decoded(String pem) {
        assertThat(pem).startsWith("-----BEGIN EC PRIVATE KEY-----\n");
        return Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]*-----", ""));
    }
}
