package io.capoa.controlplane.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.lab.certificates.SelfSigned;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.GeneralSecurityException;
import java.util.Base64;
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
