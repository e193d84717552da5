package io.capoa.lab.manager;

import static io.capoa.lab.manager.ConvertedCluster.NAMESPACE;
import static io.capoa.lab.manager.ConvertedCluster.OACP;
import static io.capoa.lab.manager.ConvertedCluster.PATIENCE;
import static io.capoa.lab.manager.ConvertedCluster.newestOlder;
import static io.capoa.lab.manager.ConvertedCluster.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Objects that are stored in the Go provider's versions are stored again in the storage version, whichever that is: forward
 * after the upgrade, and back before a return to the Go provider.
 */
@Tag("full")
@Isolated("two managers at once are enough for a small machine")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StorageMigrationTest {

    private final ConvertedCluster converted = new ConvertedCluster();

    @BeforeAll
    void takeOver(@TempDir Path folder) throws Exception {
        converted.takeOver(folder);
    }

    @AfterAll
    void stop() {
        converted.close();
    }

    @Test
    @Order(1)
    void storedObjectsAreMigrated_soThatTheOlderVersionsCanGo() throws Exception {
        converted.awaitReadable(OACP, "v1beta1");
        converted.stopManagers();
        converted.startManagers();
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
    @Order(2)
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
}
