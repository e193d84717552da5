package io.capoa.lab.manager;

import static io.capoa.lab.manager.ManagerChild.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.controlplane.ControlPlaneProvider;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The API server calls both providers' webhooks, as configured but for one namespace, and obeys them. */
@ExtendWith(SharedCluster.class)
@TestInstance(Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(ManagerChild.ONE_PROVIDER)
class AdmissionTest {

    private static final String NAMESPACE = "admission";

    private final TestCluster cluster;
    private final KubernetesClient admin;
    private final HeldCertificate authority = new HeldCertificate.Builder()
            .certificateAuthority(0)
            .commonName("authority")
            .build();

    @TempDir
    private static Path folder;

    AdmissionTest(TestCluster cluster) {
        this.cluster = cluster;
        admin = cluster.admin();
        var unused = admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
    }

    @AfterAll
    void stop() {
        admin.namespaces().withName(NAMESPACE).delete();
    }

    private ManagerChild start(Class<?> provider, String user, int port, Path certificates, String... flags)
            throws Exception {
        var all = new ArrayList<>(
                List.of("--namespace=" + NAMESPACE, "--webhook-port=" + port, "--webhook-cert-dir=" + certificates));
        all.addAll(List.of(flags));
        return ManagerChild.startProvider(provider, folder, cluster.kubeconfigOf(user), all.toArray(String[]::new));
    }

    private void putCertificate(Path certificates) throws Exception {
        var certificate = new HeldCertificate.Builder()
                .addSubjectAlternativeName("127.0.0.1")
                .signedBy(authority)
                .build();
        Files.writeString(certificates.resolve("tls.key"), certificate.privateKeyPkcs8Pem());
        Files.writeString(certificates.resolve("tls.crt"), certificate.certificatePem());
    }

    /** The configuration in {@code config/} with URLs, because there is no Service network. */
    private ValidatingWebhookConfiguration configure(String provider, int port) throws Exception {
        var authorities =
                Base64.getEncoder().encodeToString(authority.certificatePem().getBytes(StandardCharsets.UTF_8));
        var configuration = AdmissionConfigurations.at("https://127.0.0.1:" + port, provider, authorities);
        configuration.getWebhooks().forEach(webhook -> {
            assertThat(webhook.getNamespaceSelector()).isNull();
            webhook.setNamespaceSelector(new LabelSelectorBuilder()
                    .addToMatchLabels("kubernetes.io/metadata.name", NAMESPACE)
                    .build());
        });
        return admin.resource(configuration).forceConflicts().serverSideApply();
    }

    private static GenericKubernetesResource object(String yaml) {
        return Serialization.unmarshal(yaml, GenericKubernetesResource.class);
    }

    private void create(GenericKubernetesResource object) {
        var unused = admin.resource(object).inNamespace(NAMESPACE).create();
    }

    /** A new webhook configuration takes effect with a short delay. */
    private void awaitRefused(GenericKubernetesResource object, String message) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThatExceptionOfType(KubernetesClientException.class)
                        .isThrownBy(() -> {
                            var unused = admin.resource(object)
                                    .inNamespace(NAMESPACE)
                                    .dryRun()
                                    .create();
                        })
                        .withMessageContaining(message));
    }

    @Test
    void theBootstrapProvider_isReadyWithItsCertificate_andItsStandbyAnswersToo() throws Exception {
        int port = ManagerChild.freePort();
        int standbyPort = ManagerChild.freePort();
        var certificates = Files.createDirectory(folder.resolve("bootstrap-certificates"));
        String[] elect = {"--leader-elect", "--leader-elect-namespace=capoa-bootstrap-system"};
        try (var leader = start(BootstrapProvider.class, KnownUsers.BOOTSTRAP_PROVIDER, port, certificates, elect)) {
            await().atMost(PATIENCE).until(() -> leader.log().contains("\"message\":\"Leading:"));
            assertThat(leader.probe("/readyz").status()).isEqualTo(503);
            assertThat(leader.probe("/readyz").body())
                    .contains("webhooks: " + certificates.resolve("tls.crt") + " and " + certificates.resolve("tls.key")
                            + " missing. Install cert-manager");
            assertThat(leader.probe("/healthz").status()).isEqualTo(200);

            putCertificate(certificates);
            await().atMost(PATIENCE).until(leader::isReady);
            try (var standby =
                    start(BootstrapProvider.class, KnownUsers.BOOTSTRAP_PROVIDER, standbyPort, certificates, elect)) {
                await().atMost(PATIENCE).until(standby::isReady);
                assertThat(standby.log()).doesNotContain("\"message\":\"Leading:");

                var configuration = configure("bootstrap", port);
                try {
                    configs();
                    configuration = configure("bootstrap", standbyPort);
                    configTemplates();
                } finally {
                    admin.resource(configuration).delete();
                }
            }
        }
    }

    private void configs() {
        var config = object("""
                apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedConfig
                metadata:
                  name: admitted
                  annotations: {openshiftassistedconfig.cluster.x-k8s.io/ignition-override: '{'}
                spec: {}
                """);
        awaitRefused(
                config,
                "denied the request: metadata.annotations[openshiftassistedconfig.cluster.x-k8s.io/ignition-override]"
                        + " cannot be used. The value is not JSON: write ignition as JSON");
        config.getMetadata()
                .setAnnotations(Map.of(
                        "openshiftassistedconfig.cluster.x-k8s.io/ignition-override",
                        "{\"ignition\":{\"version\":\"3.1.0\"}}"));
        assertThatCode(() -> create(config)).doesNotThrowAnyException();
        assertThatCode(() -> admin.resource(config).inNamespace(NAMESPACE).delete())
                .doesNotThrowAnyException();
    }

    private void configTemplates() {
        var template = object("""
                apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedConfigTemplate
                metadata: {name: rotated}
                spec: {template: {spec: {proxy: {httpProxy: nowhere}}}}
                """);
        awaitRefused(
                template, "spec.template.spec.proxy.httpProxy is no URL of a proxy: write http://proxy.example.com");
        template.setAdditionalProperty("spec", Map.of("template", Map.of("spec", Map.of("cpuArchitecture", "x86_64"))));
        create(template);

        // The dry run by which the topology controller decides on a template rotation.
        template.getMetadata().setAnnotations(Map.of("topology.cluster.x-k8s.io/dry-run", ""));
        template.setAdditionalProperty(
                "spec", Map.of("template", Map.of("spec", Map.of("cpuArchitecture", "aarch64"))));
        assertThatCode(() -> apply(template, true)).doesNotThrowAnyException();
    }

    /** Cluster API tries every change of a topology as a dry run first, ClusterClass patches included. */
    private void dryRunsOfTopologies() {
        var template = object("""
                apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedControlPlaneTemplate
                metadata: {name: patched}
                spec: {template: {spec: {openshiftAssistedConfigSpec: {installerArgs: [a b]}}}}
                """);
        String refusal = refusal(template, true);
        assertThat(refusal)
                .contains("spec.template.spec.openshiftAssistedConfigSpec.installerArgs[0] has a blank")
                .isEqualTo(refusal(template, false));

        template.setAdditionalProperty("spec", Map.of("template", Map.of("spec", Map.of())));
        var stored = admin.resource(template).inNamespace(NAMESPACE);
        assertThatCode(() -> apply(template, true)).doesNotThrowAnyException();
        assertThat(stored.get()).isNull();
        assertThatCode(() -> apply(template, false)).doesNotThrowAnyException();
        assertThat(stored.get()).isNotNull();
    }

    private String refusal(GenericKubernetesResource object, boolean dryRun) {
        return catchThrowableOfType(KubernetesClientException.class, () -> apply(object, dryRun))
                .getStatus()
                .getMessage();
    }

    private void apply(GenericKubernetesResource object, boolean dryRun) {
        var context = new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager("capi-topology")
                .withForce(true);
        var unused = admin.resource(object)
                .inNamespace(NAMESPACE)
                .patch((dryRun ? context.withDryRun(List.of("All")) : context).build());
    }

    @Test
    void theControlPlaneProvider_refusesWhatCannotBe_andWhatWasStoredBefore_staysUsable() throws Exception {
        int port = ManagerChild.freePort();
        var certificates = Files.createDirectory(folder.resolve("controlplane-certificates"));
        putCertificate(certificates);
        var controlPlane = object("""
                apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedControlPlane
                metadata: {name: admitted}
                spec:
                  distributionVersion: latest
                  replicas: 3
                  machineTemplate:
                    spec:
                      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: t}
                  config: {baseDomain: lab.example}
                """);
        create(controlPlane);
        var stored = admin.genericKubernetesResources(controlPlane.getApiVersion(), controlPlane.getKind())
                .inNamespace(NAMESPACE)
                .withName("admitted");
        try (var manager = start(ControlPlaneProvider.class, KnownUsers.CONTROL_PLANE_PROVIDER, port, certificates)) {
            await().atMost(PATIENCE).until(manager::isReady);
            var configuration = configure("controlplane", port);
            try {
                var another = object(Serialization.asYaml(controlPlane));
                another.getMetadata().setName("another");
                awaitRefused(
                        another,
                        "spec.distributionVersion latest is not a release version: write three numbers without leading v");

                dryRunsOfTopologies();
                // A server-side merge, because the manager may write the status concurrently.
                var merge = PatchContext.of(PatchType.JSON_MERGE);
                assertThatCode(() -> stored.patch(merge, "{\"metadata\":{\"annotations\":{\"note\":\"changed\"}}}"))
                        .doesNotThrowAnyException();
                assertThatExceptionOfType(KubernetesClientException.class)
                        .isThrownBy(() -> stored.patch(merge, """
                                {"spec":{"config":{"apiVIPs":["192.0.2.5"],"ingressVIPs":["192.0.2.5"]}}}"""))
                        .withMessageContaining("spec.config.ingressVIPs[0] is an address of apiVIPs as well")
                        .withMessageNotContaining("distributionVersion");

                // Finalizers can be removed with any spec.
                var unused = stored.delete();
                await().atMost(PATIENCE).until(() -> stored.get() == null);
            } finally {
                admin.resource(configuration).delete();
            }
        }
    }
}
