package io.capoa.lab.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.controlplane.ControlPlaneProvider;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.PreparedClusters;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Objects that are stored in the Go provider's versions, under our CRDs and with the managers' conversion webhooks. The
 * objects are paused; the last test deletes them.
 */
@Isolated("two managers at once are enough for a small machine")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConversionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String NAMESPACE = "converted";
    private static final String OACP = "openshiftassistedcontrolplanes";
    private static final String OAC = "openshiftassistedconfigs";
    private static final String OACT = "openshiftassistedconfigtemplates";

    private final LocalCluster cluster = PreparedClusters.start();
    private final KubernetesClient admin = cluster.admin();
    private final HeldCertificate authority = new HeldCertificate.Builder()
            .certificateAuthority(0)
            .commonName("authority")
            .build();

    private Path folder = Path.of("");
    private ManagerChild bootstrap;
    private ManagerChild controlPlane;
    private int bootstrapPort;
    private int controlPlanePort;

    @BeforeAll
    void takeOver(@TempDir Path temporary) throws Exception {
        folder = temporary;
        for (CustomResourceDefinition own : VersionedDefinitions.released()) {
            var unused = admin.resource(own).delete();
        }
        await().atMost(PATIENCE)
                .until(() -> VersionedDefinitions.released().stream()
                        .allMatch(own -> admin.resource(own).get() == null));
        for (CustomResourceDefinition definition : VersionedDefinitions.ofTheGoProvider()) {
            var unused = admin.resource(definition).create();
        }
        var unused = admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        createStored();
        var certificate = new HeldCertificate.Builder()
                .addSubjectAlternativeName("127.0.0.1")
                .signedBy(authority)
                .build();
        Files.writeString(folder.resolve("tls.key"), certificate.privateKeyPkcs8Pem());
        Files.writeString(folder.resolve("tls.crt"), certificate.certificatePem());
        bootstrapPort = ManagerChild.freePort();
        controlPlanePort = ManagerChild.freePort();
        startManagers();
        String authorities =
                Base64.getEncoder().encodeToString(authority.certificatePem().getBytes(StandardCharsets.UTF_8));
        for (CustomResourceDefinition own : VersionedDefinitions.released()) {
            int port = own.getSpec().getGroup().startsWith("bootstrap") ? bootstrapPort : controlPlanePort;
            var applied = admin.resource(VersionedDefinitions.convertedAt(own, port, authorities))
                    .forceConflicts()
                    .serverSideApply();
        }
    }

    @AfterAll
    void stop() {
        stopManagers();
        cluster.close();
    }

    @Test
    @Order(1)
    void whenOurDefinitionsReplaceTheirs_bothManagersBecomeReady() {
        await().atMost(PATIENCE).until(() -> bootstrap.isReady() && controlPlane.isReady());
    }

    @Test
    @Order(2)
    void everyObjectIsReadableInEveryVersion() {
        for (String version : new String[] {"v1alpha1", "v1alpha2", "v1beta1"}) {
            awaitReadable(OAC, version);
            assertThat(read(OAC, version).<String>get("spec", "cpuArchitecture"))
                    .isEqualTo("arm64");
            awaitReadable(OACT, version);
            assertThat(resources(OACT, version).inNamespace(NAMESPACE).list().getItems())
                    .hasSize(1);
        }
        for (String version : new String[] {"v1alpha2", "v1alpha3", "v1beta1"}) {
            awaitReadable(OACP, version);
        }
        assertThat(read(OACP, "v1beta1").<String>get("spec", "machineTemplate", "spec", "infrastructureRef", "name"))
                .isEqualTo("metal");
        assertThat(read(OACP, "v1alpha2").<String>get("spec", "machineTemplate", "infrastructureRef", "apiVersion"))
                .isEqualTo("infrastructure.cluster.x-k8s.io/v1beta1");
        assertThat(read(OAC, "v1beta1").<List<Map<String, Object>>>get("status", "conditions"))
                .extracting(condition -> condition.get("type"))
                .contains("DataSecretAvailable");
    }

    @Test
    @Order(3)
    void serverSideApplyAndUpdatesThroughOlderVersions_keepWhatOnlyV1beta1Has() {
        var unused = resources(OACP, "v1beta1")
                .inNamespace(NAMESPACE)
                .withName("kept")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"remediation\":{\"maxRetry\":2},\"config\":{\"ntpSources\":[\"192.0.2.9\"]}}}");
        for (int round = 0; round < 2; round++) {
            unused = resources(OACP, "v1alpha3")
                    .inNamespace(NAMESPACE)
                    .resource(object(CONTROL_PLANE.replace("replicas: 3", "replicas: 5")))
                    .fieldManager("gitops")
                    .forceConflicts()
                    .serverSideApply();
        }
        GenericKubernetesResource oldest = read(OACP, "v1alpha2");
        oldest.<Map<String, Object>>get("spec").put("distributionVersion", "4.20.1");
        unused = resources(OACP, "v1alpha2")
                .inNamespace(NAMESPACE)
                .resource(oldest)
                .update();

        GenericKubernetesResource stored = read(OACP, "v1beta1");
        assertThat(stored.<Integer>get("spec", "replicas")).isEqualTo(5);
        assertThat(stored.<String>get("spec", "distributionVersion")).isEqualTo("4.20.1");
        assertThat(stored.<Integer>get("spec", "remediation", "maxRetry")).isEqualTo(2);
        assertThat(stored.<List<String>>get("spec", "config", "ntpSources")).containsExactly("192.0.2.9");
        assertThat(stored.<String>get("spec", "machineTemplate", "spec", "infrastructureRef", "kind"))
                .isEqualTo("Metal3MachineTemplate");
        assertThat(stored.getMetadata().getAnnotations()).doesNotContainKey("cluster.x-k8s.io/conversion-data");
    }

    @Test
    @Order(4)
    void whileTheWebhookIsDown_theStoredVersionIsReadAndNothingGetsLost() throws Exception {
        GenericKubernetesResource before = read(OACP, "v1beta1");
        stopManagers();

        assertThat(read(OACP, "v1beta1").<Object>get("spec")).isEqualTo(before.get("spec"));
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> resources(OACP, "v1alpha2")
                        .inNamespace(NAMESPACE)
                        .withName("kept")
                        .get())
                .withMessageContaining("conversion webhook");

        startManagers();
        awaitReadable(OACP, "v1alpha2");
        awaitReadable(OAC, "v1alpha1");
        assertThat(read(OACP, "v1beta1").<Object>get("spec")).isEqualTo(before.get("spec"));
        assertThat(read(OAC, "v1beta1").<List<String>>get("spec", "preBootstrapCommands"))
                .containsExactly("/usr/bin/true");
    }

    @Test
    @Order(5)
    void garbageCollectionAndNamespaceDeletionWork() {
        GenericKubernetesResource owned = object(CONFIG.replace("name: kept", "name: owned"));
        owned.getMetadata()
                .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                        .withApiVersion("bootstrap.cluster.x-k8s.io/v1alpha2")
                        .withKind("OpenshiftAssistedConfigTemplate")
                        .withName("kept")
                        .withUid(read(OACT, "v1alpha2").getMetadata().getUid())
                        .build()));
        var unused = resources(OAC, "v1alpha2")
                .inNamespace(NAMESPACE)
                .resource(owned)
                .create();

        var deleted = resources(OACT, "v1alpha1")
                .inNamespace(NAMESPACE)
                .withName("kept")
                .delete();
        assertThat(deleted).isNotEmpty();
        await().atMost(PATIENCE)
                .until(() -> resources(OAC, "v1beta1")
                                .inNamespace(NAMESPACE)
                                .withName("owned")
                                .get()
                        == null);
        deleted = admin.namespaces().withName(NAMESPACE).delete();
        // A paused object keeps its finalizer.
        releaseDeleted(OACP, "v1alpha2");
        releaseDeleted(OAC, "v1alpha1");
        await().atMost(PATIENCE)
                .until(() -> admin.namespaces().withName(NAMESPACE).get() == null);
    }

    private void releaseDeleted(String plural, String version) {
        var kept = resources(plural, version).inNamespace(NAMESPACE).withName("kept");
        await().atMost(PATIENCE).until(() -> {
            GenericKubernetesResource object = kept.get();
            return object == null || object.getMetadata().getDeletionTimestamp() != null;
        });
        if (kept.get() != null) {
            var unused = kept.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
        }
    }

    private void createStored() {
        for (String yaml : new String[] {CONFIG, TEMPLATE, CONTROL_PLANE}) {
            GenericKubernetesResource object = object(yaml);
            String plural = object.getKind().toLowerCase(Locale.ROOT) + "s";
            String version = object.getApiVersion().replaceFirst(".*/", "");
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> resources(plural, version)
                                    .inNamespace(NAMESPACE)
                                    .resource(object)
                                    .create()
                            != null);
            if (object.get("status") != null) {
                var unused = resources(plural, version)
                        .inNamespace(NAMESPACE)
                        .resource(object)
                        .updateStatus();
            }
        }
    }

    private void startManagers() throws Exception {
        bootstrap = start(BootstrapProvider.class, KnownUsers.BOOTSTRAP_PROVIDER, bootstrapPort);
        controlPlane = start(ControlPlaneProvider.class, KnownUsers.CONTROL_PLANE_PROVIDER, controlPlanePort);
    }

    private ManagerChild start(Class<?> provider, String user, int port) throws Exception {
        return ManagerChild.startProvider(
                provider, folder, cluster.kubeconfigOf(user), "--webhook-port=" + port, "--webhook-cert-dir=" + folder);
    }

    private void stopManagers() {
        if (bootstrap != null) {
            bootstrap.close();
        }
        if (controlPlane != null) {
            controlPlane.close();
        }
    }

    private void awaitReadable(String plural, String version) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(read(plural, version)).isNotNull());
    }

    private GenericKubernetesResource read(String plural, String version) {
        return resources(plural, version)
                .inNamespace(NAMESPACE)
                .withName("kept")
                .require();
    }

    private MixedOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            resources(String plural, String version) {
        return admin.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                .withGroup(plural.equals(OACP) ? "controlplane.cluster.x-k8s.io" : "bootstrap.cluster.x-k8s.io")
                .withVersion(version)
                .withPlural(plural)
                .withNamespaced(true)
                .build());
    }

    private static GenericKubernetesResource object(String yaml) {
        return Serialization.unmarshal(yaml, GenericKubernetesResource.class);
    }

    private static final String CONFIG = """
            apiVersion: bootstrap.cluster.x-k8s.io/v1alpha2
            kind: OpenshiftAssistedConfig
            metadata: {name: kept, annotations: {cluster.x-k8s.io/paused: ""}}
            spec:
              cpuArchitecture: arm64
              preBootstrapCommands: [/usr/bin/true]
              nodeRegistration: {name: $METADATA_NAME}
            status:
              dataSecretName: kept
              initialization: {dataSecretCreated: true}
              v1beta1Conditions:
                - {type: DataSecretAvailable, status: "True", lastTransitionTime: "2026-01-02T03:04:05Z"}
            """;

    private static final String TEMPLATE = """
            apiVersion: bootstrap.cluster.x-k8s.io/v1alpha2
            kind: OpenshiftAssistedConfigTemplate
            metadata: {name: kept}
            spec: {template: {spec: {sshAuthorizedKey: ""}}}
            """;

    private static final String CONTROL_PLANE = """
            apiVersion: controlplane.cluster.x-k8s.io/v1alpha3
            kind: OpenshiftAssistedControlPlane
            metadata: {name: kept, annotations: {cluster.x-k8s.io/paused: ""}}
            spec:
              distributionVersion: 4.20.0
              replicas: 3
              machineTemplate:
                infrastructureRef:
                  {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: metal}
              config:
                baseDomain: example.com
                apiVIPs: [192.0.2.1]
                ingressVIPs: [192.0.2.2]
              openshiftAssistedConfigSpec: {nodeRegistration: {name: $METADATA_NAME}}
            """;
}
