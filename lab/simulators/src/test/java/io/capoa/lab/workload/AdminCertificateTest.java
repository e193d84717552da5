package io.capoa.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.lab.certificates.ClientAuthority;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Identification of a cluster's administrator by client certificate. */
@Tag("full")
class AdminCertificateTest {

    private static final ReleaseVersions RELEASE = ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64");
    private static final X500Principal ADMINISTRATOR = new X500Principal("CN=system:admin, O=system:masters");
    private static final String OK = "HTTP/1.1 200";
    private static final String UNAUTHORIZED = "HTTP/1.1 401";
    private static final KeyManager[] NO_CERTIFICATE = {};

    private final AtomicInteger fullHandshakes = new AtomicInteger();
    private WorkloadClusters clusters;
    private Workload cluster;

    @BeforeEach
    void start() throws IOException {
        clusters = new WorkloadClusters(0).start();
        cluster = create("one");
    }

    @AfterEach
    void stop() {
        clusters.close();
    }

    @Test
    void theKubeconfig_hasTheCertificateAndKeyOfTheInstaller_andNoToken() throws Exception {
        Config config = Config.fromKubeconfig(cluster.kubeconfig());

        X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(Base64.getDecoder().decode(config.getClientCertData())));
        assertThat(certificate.getSubjectX500Principal()).isEqualTo(ADMINISTRATOR);
        assertThat(certificate.getIssuerX500Principal())
                .isEqualTo(new X500Principal("CN=admin-kubeconfig-signer, OU=openshift"));
        assertThat(Base64.getDecoder().decode(config.getClientKeyData()))
                .asString(StandardCharsets.US_ASCII)
                .startsWith("-----BEGIN RSA PRIVATE KEY-----");
        assertThat(cluster.kubeconfig()).doesNotContain("token");
        assertThat(cluster.kubeconfigWithIngress())
                .contains(config.getClientCertData())
                .doesNotContain("token");
        assertThatThrownBy(() -> WorkloadApi.of(cluster.kubeconfig()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no token");
    }

    @Test
    void theCertificateOfTheKubeconfig_isTheAdministrators() throws Exception {
        assertThat(nodes(cluster, context(administrator(cluster)))).isEqualTo(OK);
        assertThat(nodes(cluster, context(NO_CERTIFICATE))).isEqualTo(UNAUTHORIZED);
    }

    @Test
    void theCertificateOfAnotherCluster_isUnknown() throws Exception {
        Workload other = create("other");
        SSLContext administrator = context(administrator(other));

        assertThat(nodes(other, administrator)).isEqualTo(OK);
        assertThat(nodes(cluster, administrator)).isEqualTo(UNAUTHORIZED);
    }

    @Test
    void theCertificateOfAClusterThatIsGone_isUnknownToTheNextOfItsName() throws Exception {
        SSLContext administrator = context(administrator(cluster));
        clusters.remove("one");

        assertThat(nodes(create("one"), administrator)).isEqualTo(UNAUTHORIZED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CN=admin-kubeconfig-signer, OU=openshift", "CN=another-signer"})
    void theCertificateOfAForeignSigner_endsInA401_notInAFailedHandshake(String signer) throws Exception {
        KeyPair key = KeyPairGenerator.getInstance("EC").generateKeyPair();
        X509Certificate certificate =
                ClientAuthority.create(new X500Principal(signer)).issue(ADMINISTRATOR, key.getPublic());

        assertThat(nodes(cluster, context(keyManagers(key, certificate)))).isEqualTo(UNAUTHORIZED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aResumedSession_hasTheIdentityOfTheFirst(String version) throws Exception {
        SSLContext administrator = context(administrator(cluster));
        SSLContext anonymous = context(NO_CERTIFICATE);

        for (int connection = 0; connection < 3; connection++) {
            assertThat(nodes(cluster, administrator, version)).isEqualTo(OK);
            assertThat(nodes(cluster, anonymous, version)).isEqualTo(UNAUTHORIZED);
        }
        assertThat(fullHandshakes).as("one of each client").hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_256_GCM_SHA384"})
    void theCipherSuite_isTheFirstOfTheClient(String first) throws Exception {
        URI server = URI.create(cluster.server());
        try (SSLSocket socket = (SSLSocket)
                context(NO_CERTIFICATE).getSocketFactory().createSocket(server.getHost(), server.getPort())) {
            socket.setEnabledCipherSuites(
                    new String[] {first, "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"});
            assertThat(socket.getSession().getCipherSuite()).isEqualTo(first);
        }
    }

    @Test
    void aCommandInAPod_isOfTheAdministratorToo() throws Exception {
        Map<String, Object> node = Json.copy(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Node",
                "metadata",
                Map.of("name", "n-0", "labels", Map.of("node-role.kubernetes.io/master", ""))));
        cluster.store().create(Resource.NODES.path(), node);
        cluster.nodesChanged();

        assertThat(exec(context(administrator(cluster)))).isEqualTo("HTTP/1.1 101");
        assertThat(exec(context(NO_CERTIFICATE))).isEqualTo(UNAUTHORIZED);
    }

    private Workload create(String id) {
        Workload created = clusters.create(id, RELEASE);
        created.machineOn("n-0", "master");
        return created;
    }

    private static String nodes(Workload of, SSLContext client) throws IOException {
        return nodes(of, client, "TLSv1.3");
    }

    private static String nodes(Workload of, SSLContext client, String version) throws IOException {
        return send(of, client, version, "/api/v1/nodes", "");
    }

    private String exec(SSLContext client) throws IOException {
        return send(
                cluster,
                client,
                "TLSv1.3",
                "/api/v1/namespaces/openshift-etcd/pods/etcd-n-0/exec?container=etcdctl&stdout=true&command=etcdctl",
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: a2V5\r\n");
    }

    /** Sends a request on a connection of its own; the first twelve characters of the response. */
    private static String send(Workload to, SSLContext client, String version, String path, String headers)
            throws IOException {
        Config config = Config.fromKubeconfig(to.kubeconfig());
        URI server = URI.create(config.getMasterUrl());
        try (SSLSocket socket =
                (SSLSocket) client.getSocketFactory().createSocket(server.getHost(), server.getPort())) {
            socket.setEnabledProtocols(new String[] {version});
            String request = "GET %s HTTP/1.1\r\nHost: lab\r\n%s\r\n".formatted(server.getPath() + path, headers);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(OK.length()), StandardCharsets.US_ASCII);
        }
    }

    private static KeyManager[] administrator(Workload of) throws Exception {
        return SSLUtils.keyManagers(Config.fromKubeconfig(of.kubeconfig()));
    }

    private static KeyManager[] keyManagers(KeyPair key, X509Certificate certificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("client", key.getPrivate(), new char[0], new X509Certificate[] {certificate});
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    /** A client that trusts every server, and counts the handshakes in which a server proves who it is. */
    private SSLContext context(KeyManager[] certificate) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                certificate,
                new TrustManager[] {
                    new X509TrustManager() {
                        @Override
                        public void checkClientTrusted(X509Certificate[] chain, String type) {
                            throw new UnsupportedOperationException("not a server");
                        }

                        @Override
                        public void checkServerTrusted(X509Certificate[] chain, String type) {
                            fullHandshakes.incrementAndGet();
                        }

                        @Override
                        public X509Certificate[] getAcceptedIssuers() {
                            return new X509Certificate[0];
                        }
                    }
                },
                null);
        return context;
    }
}
