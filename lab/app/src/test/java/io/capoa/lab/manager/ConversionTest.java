package io.capoa.lab.manager;

import static io.capoa.lab.manager.ConvertedCluster.CONFIG;
import static io.capoa.lab.manager.ConvertedCluster.CONTROL_PLANE;
import static io.capoa.lab.manager.ConvertedCluster.EMPTY;
import static io.capoa.lab.manager.ConvertedCluster.NAMESPACE;
import static io.capoa.lab.manager.ConvertedCluster.OAC;
import static io.capoa.lab.manager.ConvertedCluster.OACP;
import static io.capoa.lab.manager.ConvertedCluster.PLANTED;
import static io.capoa.lab.manager.ConvertedCluster.newestOlder;
import static io.capoa.lab.manager.ConvertedCluster.object;
import static io.capoa.lab.manager.ManagerChild.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.controlplane.ControlPlaneProvider;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.ProjectRoot;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * From the Go provider's definitions and objects to ours and back, with the managers' conversion webhooks: one chain on one
 * API server, whose objects are paused; the last test deletes them.
 */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(ManagerChild.BOTH_PROVIDERS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConversionTest {

    private static final String OACT = "openshiftassistedconfigtemplates";

    /** That each manager makes during the outage, at least, with growing pauses. */
    private static final int ATTEMPTS = 4;

    /** Of an object, in a test that counts conversions. */
    private static final int WRITES = 5;

    private final ConvertedCluster converted = new ConvertedCluster();
    private final KubernetesClient admin = converted.admin();

    @TempDir
    private static Path folder;

    @AfterAll
    void stop() {
        converted.close();
    }

    /** With the definitions as published. */
    @Test
    @Order(1)
    void bothManagersSayWhatIsThere_andOurDefinitionsMayReplaceIt() throws Exception {
        Path theirs = ProjectRoot.find().resolve("../shared/crds/capoa");
        assumeTrue(
                Files.isDirectory(theirs), "the Go provider's CustomResourceDefinitions are not beside the checkout");
        converted.removeDefinitions();
        for (CustomResourceDefinition definition : VersionedDefinitions.below(theirs)) {
            // Without their conversion webhook, which is not needed here.
            definition.getSpec().setConversion(null);
            var unused = admin.resource(definition).create();
        }
        try (var bootstrap = converted.start(
                        BootstrapProvider.class, KnownUsers.BOOTSTRAP_PROVIDER, folder, "--webhook-port=0");
                var controlPlane = converted.start(
                        ControlPlaneProvider.class, KnownUsers.CONTROL_PLANE_PROVIDER, folder, "--webhook-port=0")) {
            assertSaid(bootstrap, "openshiftassistedconfigs.bootstrap.cluster.x-k8s.io", "v1alpha1, v1alpha2");
            assertSaid(
                    controlPlane, "openshiftassistedcontrolplanes.controlplane.cluster.x-k8s.io", "v1alpha2, v1alpha3");
        }
        for (CustomResourceDefinition own : VersionedDefinitions.released()) {
            CustomResourceDefinition applied =
                    admin.resource(own).forceConflicts().serverSideApply();
            assertThat(applied.getSpec().getConversion().getStrategy())
                    .isEqualTo(applied.getSpec().getVersions().size() > 1 ? "Webhook" : "None");
        }
    }

    private static void assertSaid(ManagerChild manager, String definition, String served) throws IOException {
        await().atMost(PATIENCE)
                .until(() -> manager.probe("/readyz").body().contains("kinds: CustomResourceDefinition " + definition));
        assertThat(manager.probe("/readyz").status()).isEqualTo(503);
        assertThat(manager.probe("/readyz").body())
                .contains(
                        "does not serve v1beta1",
                        "it serves " + served,
                        "status.storedVersions are ",
                        "docs/install.md");
        await().atMost(PATIENCE).until(() -> manager.log().contains("Nothing can be reconciled: "));
    }

    /** The API server cannot reach the conversion webhook for a while, and objects are stored in older versions. */
    @Test
    @Order(2)
    void theManagersSayWhatIsDown_andGoOnWhenItIsBack() throws Exception {
        converted.takeOver(folder, false);
        Object before = converted.read(OACP, "v1alpha3").get("spec");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(converted.logs())
                        .contains(
                                "The API server could not convert objects for list of openshiftassistedconfigs.bootstrap")
                        .contains("The API server could not convert objects for list of openshiftassistedcontrolplanes")
                        .contains("Remedy: see that a manager runs behind the webhook's Service"));
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(converted.isReady()).isFalse();
            assertThat(converted.read(OACP, "v1alpha3").<Object>get("spec")).isEqualTo(before);
            assertThat(converted.failedLists(KnownUsers.BOOTSTRAP_PROVIDER, OAC))
                    .isGreaterThanOrEqualTo(ATTEMPTS);
            assertThat(converted.failedLists(KnownUsers.CONTROL_PLANE_PROVIDER, OACP))
                    .isGreaterThanOrEqualTo(ATTEMPTS);
        });
        assertThat(converted.isRunning()).isTrue();

        converted.applyDefinitions();
        await().atMost(PATIENCE).until(converted::isReady);
        assertThat(converted.read(OACP, "v1alpha3").<Object>get("spec")).isEqualTo(before);
        converted.awaitStored("v1beta1");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(converted.logs())
                        .contains("1 of 1 objects have fields that clients wrote in another API version than v1beta1: ")
                        .contains(" in \\\"v1alpha3\\\""));
    }

    @Test
    @Order(3)
    void storedObjectsAreMigrated_soThatTheOlderVersionsCanGo() throws Exception {
        converted.awaitReadable(OACP, "v1beta1");
        converted.awaitStored("v1beta1");
        Map<String, Object> before = converted.read(OACP, "v1beta1").get("spec");
        converted.dropOlderVersions();

        assertThat(converted.read(OACP, "v1beta1").<Object>get("spec")).isEqualTo(before);
        converted.stopManagers();
        converted.startManagers();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                converted.read(OACP, "v1beta1").getMetadata().getManagedFields())
                        .isNotEmpty()
                        .extracting(ManagedFieldsEntry::getApiVersion)
                        .containsOnly("controlplane.cluster.x-k8s.io/v1beta1"));
        var unused = converted
                .resources(OACP, "v1beta1")
                .inNamespace(NAMESPACE)
                .resource(object("""
                    apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                    kind: OpenshiftAssistedControlPlane
                    metadata: {name: kept, labels: {applied: later}}
                    spec: {remediation: {maxRetry: 2}}
                    """))
                .fieldManager("gitops")
                .forceConflicts()
                .serverSideApply();
        assertThat(converted.read(OACP, "v1beta1").getMetadata().getLabels()).containsEntry("applied", "later");
        converted.applyDefinitions();
        converted.awaitReadable(OACP, "v1alpha2");
    }

    /** The way of docs/migrating.md. */
    @Test
    @Order(4)
    void withAnOlderStorageVersion_objectsGoBack_andTheGoProvidersDefinitionsAreAccepted() throws Exception {
        GenericKubernetesResource before = converted.read(OACP, "v1alpha3");
        for (CustomResourceDefinition own : converted.applied()) {
            converted.update(
                    own,
                    spec -> spec.getVersions()
                            .forEach(version ->
                                    version.setStorage(version.getName().equals(newestOlder(own)))));
        }
        converted.stopManagers();
        converted.startManagers();
        converted.awaitStored("v1alpha");
        converted.serveOlderVersions(false);
        assertThat(converted.read(OACP, "v1beta1").<Object>get("spec", "remediation"))
                .isEqualTo(Map.of("maxRetry", 2));
        converted.serveOlderVersions(true);
        converted.stopManagers();
        for (CustomResourceDefinition definition : VersionedDefinitions.ofTheGoProvider()) {
            converted.update(definition, spec -> {
                spec.setVersions(definition.getSpec().getVersions());
                spec.setConversion(null);
            });
        }

        assertThat(converted.read(OACP, "v1alpha3").<Object>get("spec")).isEqualTo(before.get("spec"));
        converted.applyDefinitions();
        converted.startManagers();
        converted.awaitReadable(OACP, "v1beta1");
        assertThat(converted.read(OACP, "v1beta1").<Integer>get("spec", "remediation", "maxRetry"))
                .isEqualTo(2);
    }

    @Test
    @Order(5)
    void whenOurDefinitionsReplaceTheirs_bothManagersBecomeReady() {
        await().atMost(PATIENCE).until(() -> converted.isReady());
    }

    @Test
    @Order(6)
    void everyObjectIsReadableInEveryVersion() {
        for (String version : new String[] {"v1alpha1", "v1alpha2", "v1beta1"}) {
            converted.awaitReadable(OAC, version);
            assertThat(converted.read(OAC, version).<String>get("spec", "cpuArchitecture"))
                    .isEqualTo("arm64");
            converted.awaitReadable(OACT, version);
            assertThat(converted
                            .resources(OACT, version)
                            .inNamespace(NAMESPACE)
                            .list()
                            .getItems())
                    .hasSize(1);
        }
        for (String version : new String[] {"v1alpha2", "v1alpha3", "v1beta1"}) {
            converted.awaitReadable(OACP, version);
        }
        assertThat(converted
                        .read(OACP, "v1beta1")
                        .<String>get("spec", "machineTemplate", "spec", "infrastructureRef", "name"))
                .isEqualTo("metal");
        assertThat(converted
                        .read(OACP, "v1alpha2")
                        .<String>get("spec", "machineTemplate", "infrastructureRef", "apiVersion"))
                .isEqualTo("infrastructure.cluster.x-k8s.io/v1beta1");
        assertThat(converted.read(OAC, "v1beta1").<List<Map<String, Object>>>get("status", "conditions"))
                .extracting(condition -> condition.get("type"))
                .contains("DataSecretAvailable");
    }

    @Test
    @Order(7)
    void serverSideApplyAndUpdatesThroughOlderVersions_keepWhatOnlyV1beta1Has() {
        var unused = converted
                .resources(OACP, "v1beta1")
                .inNamespace(NAMESPACE)
                .withName("kept")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"remediation\":{\"maxRetry\":2},\"config\":{\"ntpSources\":[\"192.0.2.9\"]}}}");
        for (int round = 0; round < 2; round++) {
            unused = converted
                    .resources(OACP, "v1alpha3")
                    .inNamespace(NAMESPACE)
                    .resource(object(CONTROL_PLANE.replace("replicas: 3", "replicas: 5")))
                    .fieldManager("gitops")
                    .forceConflicts()
                    .serverSideApply();
        }
        // The manager reports the changes.
        await().atMost(PATIENCE).until(() -> {
            GenericKubernetesResource reported = converted.read(OACP, "v1beta1");
            Number observed = reported.get("status", "observedGeneration");
            return observed != null
                    && observed.longValue() == reported.getMetadata().getGeneration();
        });
        converted.update(
                OACP,
                "v1alpha2",
                oldest -> oldest.<Map<String, Object>>get("spec").put("distributionVersion", "4.20.1"));

        GenericKubernetesResource stored = converted.read(OACP, "v1beta1");
        assertThat(stored.<Integer>get("spec", "replicas")).isEqualTo(5);
        assertThat(stored.<String>get("spec", "distributionVersion")).isEqualTo("4.20.1");
        assertThat(stored.<Integer>get("spec", "remediation", "maxRetry")).isEqualTo(2);
        assertThat(stored.<List<String>>get("spec", "config", "ntpSources")).containsExactly("192.0.2.9");
        assertThat(stored.<String>get("spec", "machineTemplate", "spec", "infrastructureRef", "kind"))
                .isEqualTo("Metal3MachineTemplate");
        assertThat(stored.getMetadata().getAnnotations()).doesNotContainKey("cluster.x-k8s.io/conversion-data");
    }

    /** What the documents promise if no client uses the older versions. */
    @Test
    @Order(8)
    void whereOlderVersionsAreNotServed_noObjectIsConverted_untilTheyAreServedAgain() throws Exception {
        long before = conversions();
        annotate("served");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(conversions() - before).isGreaterThanOrEqualTo(2L * WRITES));
        assertThat(converted.read(OACP, "v1beta1").getMetadata().getManagedFields())
                .extracting(ManagedFieldsEntry::getApiVersion)
                .contains("controlplane.cluster.x-k8s.io/v1alpha3");
        Object spec = converted.read(OACP, "v1beta1").get("spec");

        converted.serveOlderVersions(false);
        converted.stopManagers();
        converted.startManagers();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                converted.read(OACP, "v1beta1").getMetadata().getManagedFields())
                        .isNotEmpty()
                        .extracting(ManagedFieldsEntry::getApiVersion)
                        .containsOnly("controlplane.cluster.x-k8s.io/v1beta1"));
        await().atMost(PATIENCE).until(converted::isReady);
        long unserved = conversions();
        annotate("unserved");
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> converted
                        .resources(OACP, "v1alpha3")
                        .inNamespace(NAMESPACE)
                        .resource(object(CONTROL_PLANE))
                        .create())
                .satisfies(refused -> assertThat(refused.getCode()).isEqualTo(404));
        assertThat(converted.read(OACP, "v1beta1").<Object>get("spec")).isEqualTo(spec);
        assertThat(conversions()).isEqualTo(unserved);

        converted.serveOlderVersions(true);
        converted.awaitReadable(OACP, "v1alpha2");
        assertThat(converted.read(OACP, "v1alpha3").getMetadata().getAnnotations())
                .containsEntry("written", "unserved" + WRITES);
    }

    /** In both older versions of the control plane, for the API server's watch caches. */
    private long conversions() {
        return converted.conversions(OACP, "v1alpha2") + converted.conversions(OACP, "v1alpha3");
    }

    private void annotate(String value) {
        var kept = converted.resources(OACP, "v1beta1").inNamespace(NAMESPACE).withName("kept");
        for (int i = 1; i <= WRITES; i++) {
            var unused = kept.patch(
                    PatchContext.of(PatchType.JSON_MERGE),
                    "{\"metadata\":{\"annotations\":{\"written\":\"%s%d\"}}}".formatted(value, i));
        }
    }

    @Test
    @Order(9)
    void objectsThatLackFields_areListedWithTheOthers_sayWhatIsMissing_andCanBeDeleted() {
        for (String yaml : new String[] {PLANTED, EMPTY}) {
            var unused = converted
                    .resources(OACP, "v1alpha3")
                    .inNamespace(NAMESPACE)
                    .resource(object(yaml))
                    .create();
        }
        assertThat(converted
                        .resources(OACP, "v1beta1")
                        .inNamespace(NAMESPACE)
                        .list()
                        .getItems())
                .extracting(item -> item.getMetadata().getName())
                .containsExactlyInAnyOrder("kept", "planted", "empty");
        var planted =
                converted.resources(OACP, "v1beta1").inNamespace(NAMESPACE).withName("planted");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                planted.require().<List<Map<String, Object>>>get("status", "conditions"))
                        .anySatisfy(condition -> assertThat(condition)
                                .containsEntry("type", "ConversionIncomplete")
                                .containsEntry("status", "True")
                                .containsEntry("reason", "FieldsTooLarge")));
        for (String name : new String[] {"planted", "empty"}) {
            var stored =
                    converted.resources(OACP, "v1beta1").inNamespace(NAMESPACE).withName(name);
            var unused = stored.delete();
            await(name).atMost(PATIENCE).until(() -> stored.get() == null);
        }
    }

    @Test
    @Order(10)
    void olderVersionsHaveTheRulesOfV1beta1() throws Exception {
        converted.configureAdmission();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(refusal("replicas: 3", "replicas: 7"))
                        .contains("spec.replicas takes the number of control plane hosts"));
        assertThat(refusal("[192.0.2.1]", "[$(id)]")).contains("spec.config.apiVIPs takes IP addresses");
        assertThat(refusal("ingressVIPs: [192.0.2.2]", "pullSecretRef: {name: ../../other/secrets/x}"))
                .contains("spec.config.pullSecretRef.name has a form", "spec.config is wrong: config.apiVIPs and");
        assertThat(refusal("ingressVIPs: [192.0.2.2]", "ingressVIPs: [192.0.2.2]\n    clusterName: UPPER/../x"))
                .contains("spec.config.clusterName takes a DNS name");

        for (String version : new String[] {"v1alpha1", "v1alpha2"}) {
            var config =
                    converted.resources(OAC, version).inNamespace(NAMESPACE).withName("kept");
            var merge = PatchContext.of(PatchType.JSON_MERGE);
            assertThatExceptionOfType(KubernetesClientException.class)
                    .isThrownBy(() -> config.patch(merge, "{\"spec\":{\"cpuArchitecture\":\"x86_64\"}}"))
                    .satisfies(refused -> assertThat(refused.getCode()).isEqualTo(422))
                    .withMessageContaining("spec of an OpenshiftAssistedConfig cannot be changed");
            var unused =
                    config.patch(merge, "{\"metadata\":{\"annotations\":{\"changed\":\"%s\"}}}".formatted(version));
        }
        assertThat(converted.read(OAC, "v1beta1").<String>get("spec", "cpuArchitecture"))
                .isEqualTo("arm64");
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> {
                    var unused = admin.raw(
                            "/apis/controlplane.cluster.x-k8s.io/v1alpha3/namespaces/%s/%s/kept/scale"
                                    .formatted(NAMESPACE, OACP),
                            "PUT",
                            """
                            {"apiVersion": "autoscaling/v1", "kind": "Scale",
                             "metadata": {"name": "kept", "namespace": "%s"}, "spec": {"replicas": 7}}
                            """.formatted(NAMESPACE));
                })
                .withMessageContaining("spec.replicas takes the number of control plane hosts");
        forgedRemainders();
        var unused = admin.admissionRegistration()
                .v1()
                .validatingWebhookConfigurations()
                .delete();
    }

    private void forgedRemainders() {
        GenericKubernetesResource forged = object(CONTROL_PLANE.replace("name: kept", "name: forged"));
        forged.getMetadata().setAnnotations(Map.of("cluster.x-k8s.io/conversion-data", """
                {"apiVersion": "controlplane.cluster.x-k8s.io/v1beta1", "fields": [
                 {"at": ["spec", "version"], "is": 7},
                 {"at": ["spec", "rollout"], "is": {"strategy": {"type": "Nope"}}}]}
                """));
        var created = converted
                .resources(OACP, "v1alpha3")
                .inNamespace(NAMESPACE)
                .resource(forged)
                .create();
        var stored = converted.resources(OACP, "v1beta1").inNamespace(NAMESPACE).withName("forged");
        assertThat(stored.require().<Map<String, Object>>get("spec")).doesNotContainKeys("version", "rollout");
        assertThat(stored.require().getMetadata().getAnnotations())
                .hasEntrySatisfying(
                        "conversion.openshiftassisted.cluster.x-k8s.io/incomplete",
                        text -> assertThat(text).contains("spec.version, spec.rollout"));
        var unused = stored.delete();
        await().atMost(PATIENCE).until(() -> stored.get() == null);
    }

    private String refusal(String right, String wrong) {
        return catchThrowableOfType(
                        KubernetesClientException.class,
                        () -> converted
                                .resources(OACP, "v1alpha3")
                                .inNamespace(NAMESPACE)
                                .resource(object(CONTROL_PLANE
                                        .replace("name: kept", "name: wrong")
                                        .replace(right, wrong)))
                                .dryRun()
                                .create())
                .getStatus()
                .getMessage();
    }

    @Test
    @Order(11)
    void whileTheWebhookIsDown_theStoredVersionIsReadAndNothingGetsLost() throws Exception {
        GenericKubernetesResource before = converted.read(OACP, "v1beta1");
        converted.stopManagers();

        assertThat(converted.read(OACP, "v1beta1").<Object>get("spec")).isEqualTo(before.get("spec"));
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> converted
                        .resources(OACP, "v1alpha2")
                        .inNamespace(NAMESPACE)
                        .withName("kept")
                        .get())
                .withMessageContaining("conversion webhook");

        converted.startManagers();
        converted.awaitReadable(OACP, "v1alpha2");
        converted.awaitReadable(OAC, "v1alpha1");
        assertThat(converted.read(OACP, "v1beta1").<Object>get("spec")).isEqualTo(before.get("spec"));
        assertThat(converted.read(OAC, "v1beta1").<List<String>>get("spec", "preBootstrapCommands"))
                .containsExactly("/usr/bin/true");
    }

    @Test
    @Order(12)
    void garbageCollectionAndNamespaceDeletionWork() {
        GenericKubernetesResource owned = object(CONFIG.replace("name: kept", "name: owned"));
        owned.getMetadata()
                .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                        .withApiVersion("bootstrap.cluster.x-k8s.io/v1alpha2")
                        .withKind("OpenshiftAssistedConfigTemplate")
                        .withName("kept")
                        .withUid(converted.read(OACT, "v1alpha2").getMetadata().getUid())
                        .build()));
        var unused = converted
                .resources(OAC, "v1alpha2")
                .inNamespace(NAMESPACE)
                .resource(owned)
                .create();

        var deleted = converted
                .resources(OACT, "v1alpha1")
                .inNamespace(NAMESPACE)
                .withName("kept")
                .delete();
        assertThat(deleted).isNotEmpty();
        releaseDeleted(OAC, "v1beta1", "owned");
        deleted = admin.namespaces().withName(NAMESPACE).delete();
        releaseDeleted(OACP, "v1alpha2", "kept");
        releaseDeleted(OAC, "v1alpha1", "kept");
        await().atMost(PATIENCE)
                .until(() -> admin.namespaces().withName(NAMESPACE).get() == null);
    }

    /** Waits until the object is deleted. A paused object keeps its finalizer. */
    private void releaseDeleted(String plural, String version, String name) {
        var kept = converted.resources(plural, version).inNamespace(NAMESPACE).withName(name);
        await().atMost(PATIENCE).until(() -> {
            GenericKubernetesResource object = kept.get();
            return object == null || object.getMetadata().getDeletionTimestamp() != null;
        });
        if (kept.get() != null) {
            var unused = kept.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
        }
    }
}
