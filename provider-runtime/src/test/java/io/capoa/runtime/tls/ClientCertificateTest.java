package io.capoa.runtime.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that demands a certificate knows the client by it, in whichever form its key is. */
class ClientCertificateTest {

    private static final HeldCertificate SERVER =
            new HeldCertificate.Builder().addSubjectAlternativeName("localhost").build();
    private static final HeldCertificate RSA =
            new HeldCertificate.Builder().commonName("rsa").rsa2048().build();
    private static final HeldCertificate EC =
            new HeldCertificate.Builder().commonName("ec").ecdsa256().build();

    static Stream<Arguments> forms() {
        return Stream.of(
                Arguments.of("RSA in PKCS#8", RSA, RSA.privateKeyPkcs8Pem()),
                Arguments.of("RSA in PKCS#1", RSA, RSA.privateKeyPkcs1Pem()),
                Arguments.of("EC in PKCS#8", EC, EC.privateKeyPkcs8Pem()),
                Arguments.of("EC in SEC 1", EC, sec1(EC)),
                Arguments.of(
                        "EC behind its parameters",
                        EC,
                        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n" + sec1(EC)),
                Arguments.of("with CR LF", RSA, RSA.privateKeyPkcs1Pem().replace("\n", "\r\n")));
    }

    /** PKCS#8 ends with the key in SEC 1, an octet string; its length is one byte for P-256. */
    private static String sec1(HeldCertificate certificate) {
        byte[] pkcs8 = certificate.keyPair().getPrivate().getEncoded();
        int begin = 2 + 3 + 2 + pkcs8[6] + 2;
        byte[] key = Arrays.copyOfRange(pkcs8, begin, pkcs8.length);
        return "-----BEGIN EC PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
                + "\n-----END EC PRIVATE KEY-----\n";
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forms")
    void theServer_knowsTheClient(String form, HeldCertificate certificate, String key) throws Exception {
        ClientCertificate client = ClientCertificate.of(bytes(certificate.certificatePem()), bytes(key));
        assertThat(shown(client, certificate)).isEqualTo(List.of(certificate.certificate()));
    }

    /** What a server sees of a client, whose certificate it asks for. */
    private static List<?> shown(ClientCertificate client, HeldCertificate trusted) throws Exception {
        SSLContext server = new HandshakeCertificates.Builder()
                .heldCertificate(SERVER)
                .addTrustedCertificate(trusted.certificate())
                .build()
                .sslContext();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                new KeyManager[] {client}, new TrustManager[] {ServerTrust.only(List.of(SERVER.certificate()))}, null);
        try (SSLServerSocket listener = (SSLServerSocket)
                server.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            listener.setNeedClientAuth(true);
            CompletableFuture<List<?>> seen = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try (SSLSocket accepted = (SSLSocket) listener.accept()) {
                    accepted.startHandshake();
                    seen.complete(List.of(accepted.getSession().getPeerCertificates()));
                } catch (Exception e) {
                    seen.completeExceptionally(e);
                }
            });
            try (SSLSocket socket = (SSLSocket)
                    context.getSocketFactory().createSocket(listener.getInetAddress(), listener.getLocalPort())) {
                socket.startHandshake();
                return seen.get();
            }
        }
    }

    static Stream<String> unreadable() {
        return Stream.of(
                "",
                "secret",
                RSA.privateKeyPkcs1Pem(),
                "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nc2VjcmV0\n-----END EC PRIVATE KEY-----",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nc2VjcmV0\n-----END ENCRYPTED PRIVATE KEY-----");
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void aKeyThatIsNotTheCertificates_isRefusedWithoutQuotingIt(String key) {
        assertThatThrownBy(() -> ClientCertificate.of(bytes(EC.certificatePem()), bytes(key)))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageNotContaining("secret")
                .hasMessageNotContaining("c2Vj");
    }

    @Test
    void withoutACertificate_thereIsNoIdentity() {
        assertThatThrownBy(() -> ClientCertificate.of(bytes(""), bytes(EC.privateKeyPkcs8Pem())))
                .isInstanceOf(GeneralSecurityException.class);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(US_ASCII);
    }
}
