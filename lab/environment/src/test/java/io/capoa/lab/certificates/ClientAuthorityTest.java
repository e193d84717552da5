package io.capoa.lab.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;

class ClientAuthorityTest {

    private static final X500Principal NAME = new X500Principal("CN=signer, OU=test");
    private static final X500Principal CLIENT = new X500Principal("CN=client, O=group:of-clients");

    @Test
    void aSignedCertificate_isOneOfAClient_andItsPathIsValid() throws Exception {
        KeyPair key = rsa();
        ClientAuthority authority = ClientAuthority.create(NAME);
        X509Certificate certificate = read(Pem.of(authority.issue(CLIENT, key.getPublic())));

        assertThat(certificate.getSubjectX500Principal()).isEqualTo(CLIENT);
        assertThat(certificate.getIssuerX500Principal()).isEqualTo(NAME);
        assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
        assertThat(certificate.getBasicConstraints()).as("not a CA").isEqualTo(-1);
        assertThat(certificate.getPublicKey()).isEqualTo(key.getPublic());
        var parameters = new PKIXParameters(Set.of(new TrustAnchor(authority.certificate(), null)));
        parameters.setRevocationEnabled(false);
        var path = CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate));
        assertThat(CertPathValidator.getInstance("PKIX").validate(path, parameters))
                .isNotNull();
    }

    @Test
    void anAuthorityOfTheSameName_hasNotIssuedIt() throws Exception {
        ClientAuthority authority = ClientAuthority.create(NAME);
        X509Certificate certificate = authority.issue(CLIENT, rsa().getPublic());

        assertThat(authority.hasIssued(certificate)).isTrue();
        assertThat(ClientAuthority.create(NAME).hasIssued(certificate)).isFalse();
    }

    @Test
    void anRsaKey_isWrittenAsThePkcs1WithinItsPkcs8() throws Exception {
        KeyPair key = rsa();
        String pem = Pem.of((RSAPrivateCrtKey) key.getPrivate());

        assertThat(pem).startsWith("-----BEGIN RSA PRIVATE KEY-----\n").endsWith("\n-----END RSA PRIVATE KEY-----\n");
        byte[] pkcs1 = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        byte[] pkcs8 = key.getPrivate().getEncoded();
        assertThat(pkcs1).isEqualTo(Arrays.copyOfRange(pkcs8, pkcs8.length - pkcs1.length, pkcs8.length));
    }

    private static KeyPair rsa() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(1024);
        return generator.generateKeyPair();
    }

    private static X509Certificate read(String pem) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    }
}
