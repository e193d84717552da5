package io.capoa.lab.manager;

import static io.capoa.lab.manager.ConvertedCluster.CONFIG;
import static io.capoa.lab.manager.ConvertedCluster.EMPTY;
import static io.capoa.lab.manager.ConvertedCluster.NAMESPACE;
import static io.capoa.lab.manager.ConvertedCluster.OAC;
import static io.capoa.lab.manager.ConvertedCluster.OACP;
import static io.capoa.lab.manager.ConvertedCluster.object;
import static io.capoa.lab.manager.ManagerChild.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Finalizers;
import io.capoa.lab.cluster.KnownUsers;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceValidation;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceValidationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Objects that were stored before their types were checked, under both managers. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(ManagerChild.BOTH_PROVIDERS)
class UnreadableObjectsTest {

    private static final Map<String, String> WRONG_CONFIGS = Map.of(
            "number", "{installationDisk: {minSizeGigabytes: {}}}",
            "list", "{installerArgs: {}}",
            "text", "{cpuArchitecture: 7, osImageVersion: {a: [7]}}");

    private static final Map<String, String> WRONG_CONTROL_PLANES = Map.of(
            "arbiter",
            "{distributionVersion: 4.20.0, replicas: 3, arbiter: {replicas: {}}, machineTemplate: {spec: {infrastructureRef:"
                    + " {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: metal}}}}",
            "version",
            "{distributionVersion: {}, machineTemplate: {spec: {infrastructureRef:"
                    + " {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: metal}}}}");

    private static final String CONTROL_PLANE_SPEC = """
            apiVersion: controlplane.cluster.x-k8s.io/v1beta1
            kind: OpenshiftAssistedControlPlane
            metadata: {name: corrected}
            spec:
              distributionVersion: 4.20.0
              replicas: 3
              machineTemplate:
                spec:
                  infrastructureRef:
                    {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: metal}
              config: {baseDomain: example.com, apiVIPs: [192.0.2.1], ingressVIPs: [192.0.2.2]}
            """;

    private final ConvertedCluster converted = new ConvertedCluster();
    private final KubernetesClient admin = converted.admin();

    @TempDir
    private static Path folder;

    @AfterEach
    void stop() {
        converted.close();
    }

    /** As they could be stored before types were checked: of most of them v1beta1 takes no write any more. */
    @Test
    void objectsWithValuesOfOtherTypes_stopNothing_areReported_andCanBeDeleted() throws Exception {
        converted.takeOver(folder, true);
        await().atMost(PATIENCE).until(converted::isReady);
        plant();
        converted.configureAdmission();

        for (String name : WRONG_CONFIGS.keySet()) {
            awaitEvent(name, "OpenshiftAssistedConfig", "has a value of another type than the field");
        }
        for (String name : WRONG_CONTROL_PLANES.keySet()) {
            awaitEvent(name, "OpenshiftAssistedControlPlane", "has a value of another type than the field");
        }
        var unused = converted
                .resources(OAC, "v1beta1")
                .inNamespace(NAMESPACE)
                .resource(object(CONFIG.replace("name: kept", "name: later").replace("v1alpha2", "v1beta1")))
                .create();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(converted
                                .resources(OAC, "v1beta1")
                                .inNamespace(NAMESPACE)
                                .withName("later")
                                .require()
                                .<Object>get("status", "conditions"))
                        .as("the informer goes on")
                        .isNotNull());
        for (String name : WRONG_CONFIGS.keySet()) {
            delete(OAC, name);
        }
        for (String name : WRONG_CONTROL_PLANES.keySet()) {
            delete(OACP, name);
        }
        assertThat(converted.isReady()).isTrue();
    }

    /** The older schemas do not ask for a spec, and v1beta1 takes no write without one, not even of a finalizer. */
    @Test
    void controlPlanesWithoutSpec_areReported_onceAndForAll_andCanBeCorrectedOrDeleted() throws Exception {
        converted.takeOver(folder, true);
        await().atMost(PATIENCE).until(converted::isReady);
        for (String name : new String[] {"empty", "corrected"}) {
            var unused = converted
                    .resources(OACP, "v1alpha3")
                    .inNamespace(NAMESPACE)
                    .resource(object(EMPTY.replace("name: empty", "name: " + name)))
                    .create();
        }
        converted.configureAdmission();

        for (String name : new String[] {"empty", "corrected"}) {
            awaitEvent(name, "OpenshiftAssistedControlPlane", "spec is missing: add it, or delete the control plane");
            awaitReady(name, "InvalidConfiguration", "spec is missing: add it, or delete the control plane");
        }
        var corrected =
                converted.resources(OACP, "v1beta1").inNamespace(NAMESPACE).withName("corrected");
        var unused = corrected.patch(
                PatchContext.of(PatchType.JSON_MERGE),
                admin.getKubernetesSerialization()
                        .asJson(Map.of("spec", object(CONTROL_PLANE_SPEC).get("spec"))));
        awaitReady("corrected", "WaitingForCluster", "no Cluster owns the control plane");
        delete(OACP, "empty");
        delete(OACP, "corrected");

        assertThat(converted.writes(KnownUsers.CONTROL_PLANE_PROVIDER, OACP))
                .filteredOn(write -> write.target().name().equals("empty"))
                .as("the finalizer and the status")
                .hasSizeBetween(2, 60);
        assertThat(converted.logs().split("Uncaught error", -1)).hasSizeLessThan(30);
    }

    private void awaitReady(String name, String reason, String message) {
        var stored = converted.resources(OACP, "v1beta1").inNamespace(NAMESPACE).withName(name);
        await(name)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(stored.require().<List<Map<String, Object>>>get("status", "conditions"))
                        .anySatisfy(condition -> assertThat(condition)
                                .containsEntry("type", "Ready")
                                .containsEntry("status", "False")
                                .containsEntry("reason", reason)
                                .extractingByKey("message")
                                .asString()
                                .contains(message)));
    }

    /** With definitions that take anything for a moment. */
    private void plant() throws Exception {
        Map<String, CustomResourceValidation> schemas = new HashMap<>();
        for (CustomResourceDefinition own : converted.applied()) {
            converted.update(
                    own,
                    spec -> hub(spec).setSchema(swap(schemas, own, hub(spec).getSchema())));
        }
        plant(OAC, WRONG_CONFIGS, "OpenshiftAssistedConfig", Finalizers.CONFIG);
        plant(OACP, WRONG_CONTROL_PLANES, "OpenshiftAssistedControlPlane", Finalizers.CONTROL_PLANE);
        for (CustomResourceDefinition own : converted.applied()) {
            converted.update(
                    own,
                    spec -> hub(spec).setSchema(schemas.get(own.getMetadata().getName())));
        }
    }

    private static CustomResourceValidation swap(
            Map<String, CustomResourceValidation> schemas,
            CustomResourceDefinition own,
            CustomResourceValidation schema) {
        schemas.putIfAbsent(own.getMetadata().getName(), schema);
        return new CustomResourceValidationBuilder()
                .withNewOpenAPIV3Schema()
                .withType("object")
                .withXKubernetesPreserveUnknownFields(true)
                .endOpenAPIV3Schema()
                .build();
    }

    private static CustomResourceDefinitionVersion hub(CustomResourceDefinitionSpec spec) {
        return spec.getVersions().stream()
                .filter(version -> version.getName().equals("v1beta1"))
                .findFirst()
                .orElseThrow();
    }

    private void plant(String plural, Map<String, String> specs, String kind, String finalizer) {
        specs.forEach((name, spec) -> await(name)
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> converted
                                .resources(plural, "v1beta1")
                                .inNamespace(NAMESPACE)
                                .resource(object("""
                        apiVersion: %s/v1beta1
                        kind: %s
                        metadata: {name: %s, finalizers: [%s]}
                        spec: %s
                        """.formatted(
                                                plural.equals(OACP)
                                                        ? "controlplane.cluster.x-k8s.io"
                                                        : "bootstrap.cluster.x-k8s.io",
                                                kind,
                                                name,
                                                finalizer,
                                                spec)))
                                .create()
                        != null));
    }

    private void awaitEvent(String name, String kind, String note) {
        await(name)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(admin.v1()
                                .events()
                                .inNamespace(NAMESPACE)
                                .list()
                                .getItems())
                        .anySatisfy(event -> {
                            assertThat(event.getInvolvedObject().getKind()).isEqualTo(kind);
                            assertThat(event.getInvolvedObject().getName()).isEqualTo(name);
                            assertThat(event.getReason()).isEqualTo("InvalidConfiguration");
                            assertThat(event.getMessage()).contains(note);
                        }));
    }

    private void delete(String plural, String name) {
        var stored =
                converted.resources(plural, "v1beta1").inNamespace(NAMESPACE).withName(name);
        var unused = stored.delete();
        await(name).atMost(PATIENCE).until(() -> stored.get() == null);
    }
}
