package io.capoa.lab.certmanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Certificates for providers; the suite of the node tests webhooks with them. */
@Tag("full")
@ExtendWith({SharedCluster.class, SharedCertManager.class})
class CertManagerTest {

    /** The machine may be busy, and the first RSA key of a process takes a second of CPU time. */
    private static final Duration SOON = Duration.ofMinutes(2);

    private static final String NAMESPACE = "default";

    private static KubernetesClient admin;

    @BeforeAll
    static void of(TestCluster cluster) {
        admin = cluster.admin();
    }

    @Test
    void aCertificate_endsInItsSecret_forItsNamesAndThisMachine_andIsReady() throws Exception {
        apply(certificate("complete", "complete-issuer", "") + issuer("complete-issuer"));

        Secret secret = awaitSecret("complete");

        assertThat(secret.getType()).isEqualTo("kubernetes.io/tls");
        assertThat(secret.getData()).containsOnlyKeys("tls.crt", "tls.key", "ca.crt");
        X509Certificate certificate = CertificateSecret.read(secret).orElseThrow();
        assertThat(certificate.getSubjectAlternativeNames())
                .contains(List.of(2, "one.example"), List.of(2, "two.example"), List.of(7, "127.0.0.1"));
        await().atMost(SOON).untilAsserted(() -> assertThat(ready("complete")).isEqualTo("True"));
    }

    @Test
    void aKey_isRsa_untilAnotherOneIsAskedFor_andWrittenInItsOwnFormat() {
        apply(certificate("keyed", "keyed-issuer", "") + issuer("keyed-issuer"));
        assertThat(key(awaitSecret("keyed"))).startsWith("-----BEGIN RSA PRIVATE KEY-----");

        apply(certificate("keyed", "keyed-issuer", "  privateKey: {algorithm: ECDSA, size: 256}\n"));
        await().atMost(SOON).until(() -> key(awaitSecret("keyed")).startsWith("-----BEGIN EC PRIVATE KEY-----"));
    }

    @Test
    void aKey_isWrittenInPkcs8_ifThatIsAskedFor() {
        apply(certificate("encoded", "encoding-issuer", "  privateKey: {encoding: PKCS8}\n")
                + issuer("encoding-issuer"));
        assertThat(key(awaitSecret("encoded"))).startsWith("-----BEGIN PRIVATE KEY-----");
    }

    @Test
    void withoutItsIssuer_itSaysSo_andFollowsWhenThatAppears() {
        apply(certificate("early", "late-issuer", ""));
        await().atMost(SOON).untilAsserted(() -> assertThat(ready("early")).isEqualTo("False"));

        apply(issuer("late-issuer"));

        var unused = awaitSecret("early");
        await().atMost(SOON).untilAsserted(() -> assertThat(ready("early")).isEqualTo("True"));
    }

    @Test
    void aSecretThatIsDeleted_isMadeAgain() {
        apply(certificate("deleted", "own-issuer", "") + issuer("own-issuer"));
        String uid = awaitSecret("deleted").getMetadata().getUid();

        admin.secrets().inNamespace(NAMESPACE).withName("deleted").delete();

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(secret("deleted"))
                        .isNotNull()
                        .extracting(secret -> secret.getMetadata().getUid())
                        .isNotEqualTo(uid));
    }

    /** Long before: however slow the machine is, the first one has not ended. */
    @Test
    void aCertificate_isRenewed_beforeItEnds() {
        apply(certificate("brief", "brief-issuer", "  duration: 1h\n  renewBefore: 59m55s\n") + issuer("brief-issuer"));
        X509Certificate first = CertificateSecret.read(awaitSecret("brief")).orElseThrow();

        await().atMost(SOON).untilAsserted(() -> {
            X509Certificate now = CertificateSecret.read(secret("brief")).orElseThrow();
            assertThat(now.getSerialNumber()).isNotEqualTo(first.getSerialNumber());
            assertThat(now.getNotBefore()).isBefore(first.getNotAfter());
        });
    }

    @Test
    void conversionWebhooksOfCrds_getTheAuthority_andGetItAgain() {
        apply(certificate("conversion", "conversion-issuer", "") + issuer("conversion-issuer"));
        var unused = awaitSecret("conversion");

        for (int i = 0; i < 2; i++) {
            apply(CONVERTED);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(admin.apiextensions()
                                    .v1()
                                    .customResourceDefinitions()
                                    .withName("things.example.org")
                                    .require()
                                    .getSpec()
                                    .getConversion()
                                    .getWebhook()
                                    .getClientConfig()
                                    .getCaBundle())
                            .isEqualTo(awaitSecret("conversion").getData().get("ca.crt")));
            admin.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName("things.example.org")
                    .delete();
            await().atMost(SOON)
                    .until(() -> admin.apiextensions()
                                    .v1()
                                    .customResourceDefinitions()
                                    .withName("things.example.org")
                                    .get()
                            == null);
        }
    }

    private static void apply(String manifests) {
        admin.load(new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(object -> admin.resource(object)
                        .fieldManager("kubectl")
                        .forceConflicts()
                        .serverSideApply());
    }

    private static Secret awaitSecret(String name) {
        return await().atMost(SOON).until(() -> secret(name), secret -> secret != null);
    }

    private static Secret secret(String name) {
        return admin.secrets().inNamespace(NAMESPACE).withName(name).get();
    }

    private static String key(Secret secret) {
        return new String(Base64.getDecoder().decode(secret.getData().get("tls.key")), StandardCharsets.US_ASCII);
    }

    private static String ready(String name) {
        GenericKubernetesResource certificate = admin.genericKubernetesResources(CertManager.CERTIFICATE)
                .inNamespace(NAMESPACE)
                .withName(name)
                .require();
        List<Map<String, String>> conditions = certificate.get("status", "conditions");
        return conditions == null ? "" : conditions.getFirst().get("status");
    }

    private static String issuer(String name) {
        return """
                ---
                apiVersion: cert-manager.io/v1
                kind: Issuer
                metadata: {name: %s, namespace: default}
                spec: {selfSigned: {}}
                """.formatted(name);
    }

    private static String certificate(String name, String issuer, String more) {
        return """
                ---
                apiVersion: cert-manager.io/v1
                kind: Certificate
                metadata: {name: %1$s, namespace: default}
                spec:
                  secretName: %1$s
                  dnsNames: [one.example, two.example]
                  issuerRef: {kind: Issuer, name: %2$s}
                %3$s""".formatted(name, issuer, more);
    }

    private static final String CONVERTED = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: things.example.org
              annotations: {cert-manager.io/inject-ca-from: default/conversion}
            spec:
              group: example.org
              names: {kind: Thing, plural: things}
              scope: Namespaced
              conversion:
                strategy: Webhook
                webhook:
                  conversionReviewVersions: [v1]
                  clientConfig:
                    service: {name: converter, namespace: default, path: /convert}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema: {type: object}
            """;
}
