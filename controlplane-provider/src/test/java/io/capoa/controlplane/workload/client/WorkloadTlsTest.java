package io.capoa.controlplane.workload.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.lab.certificates.SelfSigned;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What TLS with a workload cluster takes from its kubeconfig. */
class WorkloadTlsTest {

    private final SelfSigned authority = SelfSigned.create("kube-apiserver-lb-signer");
    private final SelfSigned ingress = SelfSigned.create("ingress-operator");
    private final SelfSigned admin = SelfSigned.create("system:admin");

    WorkloadTlsTest() throws GeneralSecurityException {}

    private static WorkloadKubeconfig kubeconfig(
            @Nullable String authorities, @Nullable String certificate, @Nullable String key) {
        return new WorkloadKubeconfig(
                "https://api:6443", encoded(authorities), encoded(certificate), encoded(key), null);
    }

    private static @Nullable String encoded(@Nullable String text) {
        return text == null ? null : Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    @Test
    void theAuthoritiesOfTheKubeconfig_areTheOnlyOnes() throws GeneralSecurityException {
        String bundle = "# of the load balancer\n" + authority.pem() + ingress.pem() + "# end\n";
        assertThat(WorkloadTls.of(kubeconfig(bundle, null, null)).trust().getAcceptedIssuers())
                .containsExactlyInAnyOrder(authority.certificate(), ingress.certificate());
    }

    @Test
    void withoutAuthorities_thoseOfTheJavaRuntimeAreTrusted() {
        assertThat(WorkloadTls.of(kubeconfig(null, null, null)).trust().getAcceptedIssuers())
                .hasSizeGreaterThan(10);
    }

    @Test
    void authoritiesThatCannotBeRead_areNamed() {
        for (String unreadable :
                new String[] {"", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"}) {
            assertThatThrownBy(() -> WorkloadTls.of(kubeconfig(unreadable, null, null)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the kubeconfig's certificate-authority-data holds no certificates in PEM");
        }
    }

    @Test
    void aKeyThatCannotBeRead_isReportedWithoutItsContent() throws GeneralSecurityException {
        String key = "-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0\n-----END RSA PRIVATE KEY-----\n";
        assertThatThrownBy(() -> WorkloadTls.of(kubeconfig(authority.pem(), admin.pem(), key)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("client-key-data")
                .hasMessageNotContaining("c2Vj");
    }

    @Test
    void ofCertificatesInTheLastFifthOfTheirValidity_orTheLastMonth_theEarliestIsDue() throws GeneralSecurityException {
        Instant now = Instant.now();
        SelfSigned days30 = SelfSigned.create("external-loadbalancer-serving", List.of(), Duration.ofDays(30));
        SelfSigned years10 = SelfSigned.create("system:admin", List.of(), Duration.ofDays(3650));
        List<X509Certificate> chain = List.of(days30.certificate(), years10.certificate());

        assertThat(ClusterCertificates.of(List.of(), List.of(), now)).isEqualTo(ClusterCertificates.UNKNOWN);
        assertThat(ClusterCertificates.of(chain, chain, now.plus(Duration.ofDays(23))))
                .as("OpenShift renews it after 15 days")
                .isEqualTo(new ClusterCertificates(true, null, null));
        Instant end = days30.certificate().getNotAfter().toInstant();
        assertThat(ClusterCertificates.of(List.of(), chain, now.plus(Duration.ofDays(25))))
                .isEqualTo(new ClusterCertificates(true, null, end));
        assertThat(ClusterCertificates.of(List.of(), chain, now.plus(Duration.ofDays(3649))))
                .isEqualTo(new ClusterCertificates(true, null, end));
        List<X509Certificate> admin = List.of(years10.certificate());
        assertThat(ClusterCertificates.of(admin, admin, now.plus(Duration.ofDays(3610)))
                        .isDue())
                .isFalse();
        assertThat(ClusterCertificates.of(admin, List.of(), now.plus(Duration.ofDays(3625))))
                .isEqualTo(new ClusterCertificates(
                        false, years10.certificate().getNotAfter().toInstant(), null));
    }

    @Test
    void whatIsNotTrusted_isNotKept_unlessItHasExpired() throws GeneralSecurityException {
        ServedChain trust =
                WorkloadTls.of(kubeconfig(authority.pem(), null, null)).trust();
        X509Certificate[] other = {ingress.certificate()};
        assertThatThrownBy(() -> trust.checkServerTrusted(other, "ECDHE_ECDSA"))
                .isInstanceOf(CertificateException.class);
        assertThat(trust.last()).isEmpty();
        trust.checkServerTrusted(new X509Certificate[] {authority.certificate()}, "ECDHE_ECDSA");
        assertThat(trust.last()).containsExactly(authority.certificate());
    }

    @Test
    void aCertificateThatHasExpired_asksForNoOtherKubeconfig() {
        KubernetesClientException expired = refusedBecause(new CertificateExpiredException());
        assertThat(WorkloadFailure.isRefused(expired)).isFalse();
        assertThat(WorkloadFailure.words(expired)).isEqualTo("its certificate has expired");
        assertThat(WorkloadFailure.isRefused(refusedBecause(null))).isTrue();
    }

    /** As the Java runtime reports a certificate that it does not trust. */
    private static KubernetesClientException refusedBecause(@Nullable Exception cause) {
        Throwable handshake = new SSLHandshakeException("PKIX path validation failed")
                .initCause(new CertificateException(new CertPathValidatorException("validity check failed", cause)));
        return new KubernetesClientException("no connection", handshake);
    }

    /** A key store, which fabric8 uses, takes 50 ms to protect the key by a password and as long to read it. */
    @Test
    void aClientCertificate_isReadWithoutAKeyStore() throws GeneralSecurityException {
        WorkloadKubeconfig kubeconfig = kubeconfig(authority.pem(), admin.pem(), admin.keyPem());
        int clients = 200;
        WorkloadTls.of(kubeconfig);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begin = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < clients; i++) {
            WorkloadTls.of(kubeconfig);
        }
        assertThat((threads.getCurrentThreadCpuTime() - begin) / 1_000_000.0 / clients)
                .as("ms of CPU time a client")
                .isLessThan(15);
    }
}
