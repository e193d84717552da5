package io.capoa.lab.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our kinds from the view of API clients: CRDs, status, scale, columns, {@code kubectl explain}. */
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiShapeTest {

    private static final String TRANSITION = "2026-01-02T03:04:05Z";

    private final KubernetesClient client;
    private final ApiRequests requests;
    private final String namespace;

    ApiShapeTest(TestCluster cluster) {
        client = cluster.admin();
        requests = new ApiRequests(client);
        namespace = client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("api-shape-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
    }

    @AfterAll
    void removeNamespace() {
        var unused = client.namespaces().withName(namespace).delete();
    }

    @Test
    void theApiServerTakesOurCrdsWithoutAWarning() throws Exception {
        int files = 0;
        try (var crds = Files.newDirectoryStream(ProjectRoot.find().resolve("crds"), "*.yaml")) {
            for (Path crd : crds) {
                String yaml = Files.readString(crd);
                HttpResponse<String> response = requests.apply(
                        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/%s?dryRun=All&force=true&fieldManager=test&fieldValidation=Strict"
                                .formatted(ApiSamples.object(yaml).getMetadata().getName()),
                        yaml);

                assertThat(response.code()).as(response.body()).isEqualTo(200);
                assertThat(response.headers("Warning")).isEmpty();
                files++;
            }
        }
        assertThat(files).isEqualTo(4);
    }

    @Test
    void countersKeepAWrittenZeroAndStayAbsentWhenUnwritten() {
        OpenshiftAssistedControlPlane written =
                writeStatus("counted", status(0, List.of(condition("Available", Condition.FALSE))));

        assertThat(Objects.requireNonNull(written.getStatus()).readyReplicas()).isZero();
        assertThat(written.getStatus().upToDateReplicas()).isNull();
    }

    @Test
    void whenTwoConditionsHaveOneType_refuses() {
        var twice = status(1, List.of(condition("Ready", Condition.TRUE), condition("Ready", Condition.FALSE)));

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> writeStatus("twice", twice))
                .withMessageContaining("status.conditions[1]: Duplicate value: {\"type\":\"Ready\"}");
    }

    @Test
    void whenAConditionsStatusIsNoneOfThree_refuses() {
        var invalid = status(1, List.of(condition("Ready", "Yes")));

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> writeStatus("invalid", invalid))
                .withMessageContaining("supported values: \"True\", \"False\", \"Unknown\"");
    }

    @Test
    void whenScaled_changesReplicasAndKeepsToTheAllowedNumbers() {
        var unused = writeStatus("scaled", status(2, List.of()));
        var controlPlane = client.resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName("scaled");

        Scale scale = controlPlane.scale();
        assertThat(scale.getSpec().getReplicas()).isEqualTo(3);
        assertThat(scale.getStatus().getReplicas()).isEqualTo(2);
        assertThat(scale.getStatus().getSelector()).isEqualTo("cluster.x-k8s.io/cluster-name=prod");

        scale.getSpec().setReplicas(5);
        assertThat(controlPlane.scale(scale).getSpec().getReplicas()).isEqualTo(5);

        Scale even = controlPlane.scale();
        even.getSpec().setReplicas(2);
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> controlPlane.scale(even))
                .withMessageContaining("two hosts alone are not supported: write 3");
    }

    @Test
    void aScale_hasTheRulesBetweenFields() {
        var unused = client.resource(
                        ApiSamples.with(ApiSamples.controlPlane("scaled-old"), "distributionVersion", "\"4.17.33\""))
                .inNamespace(namespace)
                .create();
        assertScaleRefused("scaled-old", 5, "spec.replicas takes 4 and 5 hosts from OpenShift 4.18 on: write 3");
        assertScaleRefused("scaled-old", 1, "spec.replicas 1 is a single node, which has no virtual addresses");
    }

    @Test
    void anInstalledCluster_neverBecomesOrStopsBeingASingleNode() {
        var unused = client.resource(ApiSamples.with(
                        ApiSamples.controlPlane("single"), "config", "{\"baseDomain\": \"example.com\"}"))
                .inNamespace(namespace)
                .create();
        assertThat(scale("single", 1)).as("before the installation").isEqualTo(1);
        assertThat(scale("single", 3)).isEqualTo(3);
        var installed = client.resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName("single");
        var initialized = installed
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\": {\"initialization\": {\"controlPlaneInitialized\": true}}}");
        String message = "spec.replicas of an installed cluster cannot change from or to 1";
        assertScaleRefused("single", 1, message);
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(
                        () -> installed.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"replicas\": 1}}"))
                .withMessageContaining(message);
        assertThat(scale("single", 5)).as(initialized.getFullResourceName()).isEqualTo(5);
    }

    private void assertScaleRefused(String name, int replicas, String message) {
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> scale(name, replicas))
                .withMessageContaining(message);
    }

    private int scale(String name, int replicas) {
        var controlPlane = client.resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName(name);
        Scale scale = controlPlane.scale();
        scale.getSpec().setReplicas(replicas);
        return controlPlane.scale(scale).getSpec().getReplicas();
    }

    @Test
    void anArbiterIsCounted_andCannotBeAddedOrRemovedLater() {
        var with = client.resource(ApiSamples.with(ApiSamples.controlPlane("arbiter"), "arbiter", "{\"replicas\": 1}"))
                .inNamespace(namespace)
                .create();
        var without = client.resource(ApiSamples.controlPlane("arbiterless"))
                .inNamespace(namespace)
                .create();

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> patch(with, "{\"spec\": {\"replicas\": 4}}"))
                .withMessageContaining("spec.replicas counts the arbiter too: with spec.arbiter write 3");
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> patch(with, "{\"spec\": {\"arbiter\": null}}"))
                .withMessageContaining("spec.arbiter cannot be added or removed later");
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> patch(without, "{\"spec\": {\"arbiter\": {\"replicas\": 1}}}"))
                .withMessageContaining("spec.arbiter cannot be added or removed later");
    }

    private void patch(GenericKubernetesResource object, String change) {
        var unused = client.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), change);
    }

    @Test
    void whenTwoManagersApplyTaints_eachKeepsItsOwn() {
        var unused = applyTaint("first", "NoSchedule");
        GenericKubernetesResource both = applyTaint("second", "NoExecute");

        List<?> taints = both.get("spec", "machineTemplate", "spec", "taints");
        assertThat(taints).hasSize(2);
    }

    @Test
    void columnsAnswerFirstWhatIsAskedFirst_andTheRestIsWide() throws Exception {
        var unused = writeStatus("shown", status(3, List.of(condition("Ready", Condition.TRUE))));

        JsonNode table = requests.get(
                "/apis/controlplane.cluster.x-k8s.io/v1beta1/namespaces/%s/openshiftassistedcontrolplanes/shown"
                        .formatted(namespace),
                "application/json;as=Table;v=v1;g=meta.k8s.io");

        assertThat(columns(table, 0))
                .containsExactly(
                        "Name", "Desired", "Ready", "Available", "Reason", "Version", "Wanted", "Update", "Age");
        assertThat(columns(table, 10))
                .containsExactly(
                        "Cluster",
                        "Initialized",
                        "Replicas",
                        "Up-To-Date",
                        "Kubernetes",
                        "Paused",
                        "Upgrade",
                        "Upgrade Refused",
                        "Message");
        assertThat(cells(table)).startsWith("shown", "3", "0", "", "Because").contains("4.20.3", "prod");
    }

    private static List<String> columns(JsonNode table, int priority) {
        List<String> names = new ArrayList<>();
        for (JsonNode column : table.path("columnDefinitions")) {
            if (column.path("priority").asInt() == priority) {
                names.add(column.path("name").asText());
            }
        }
        return names;
    }

    @Test
    void whenAMachineOwnsAConfig_theListNamesIt() throws Exception {
        // A real Machine: garbage collection removes dependents of a missing one.
        var machine = client.resource(new KubernetesSerialization().<Machine>unmarshal("""
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Machine
            metadata: {name: prod-cp-x7k2p}
            spec:
              clusterName: prod
              bootstrap: {dataSecretName: prod}
              infrastructureRef:
                {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Machine, name: prod}
            """, Machine.class))
                .inNamespace(namespace)
                .create();
        var config = ApiSamples.config("owned", "{}");
        config.getMetadata()
                .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                        .withApiVersion("cluster.x-k8s.io/v1beta2")
                        .withKind("Machine")
                        .withName("prod-cp-x7k2p")
                        .withUid(machine.getMetadata().getUid())
                        .build()));
        var unused = client.resource(config).inNamespace(namespace).create();

        JsonNode table = requests.get(
                "/apis/bootstrap.cluster.x-k8s.io/v1beta1/namespaces/%s/openshiftassistedconfigs/owned"
                        .formatted(namespace),
                "application/json;as=Table;v=v1;g=meta.k8s.io");

        assertThat(cells(table)).contains("prod-cp-x7k2p");
    }

    @ParameterizedTest
    @CsvSource({
        "bootstrap.cluster.x-k8s.io, openshiftassistedconfigs, oac oacs",
        "bootstrap.cluster.x-k8s.io, openshiftassistedconfigtemplates, ''",
        "controlplane.cluster.x-k8s.io, openshiftassistedcontrolplanes, oacp oacps",
        "controlplane.cluster.x-k8s.io, openshiftassistedcontrolplanetemplates, ''",
    })
    void everyKindHasItsShortNamesAndTheCategoryClusterApi(String group, String plural, String shortNames)
            throws Exception {
        JsonNode kinds = requests.get("/apis/%s/v1beta1".formatted(group), "application/json");

        for (JsonNode kind : kinds.path("resources")) {
            if (kind.path("name").asText().equals(plural)) {
                assertThat(texts(kind.path("categories"))).containsExactly("cluster-api");
                assertThat(String.join(" ", texts(kind.path("shortNames")))).isEqualTo(shortNames);
                return;
            }
        }
        throw new AssertionError(plural + " is not served");
    }

    /** The OpenAPI document for {@code kubectl explain}. */
    @ParameterizedTest
    @CsvSource({
        "bootstrap, OpenshiftAssistedConfig",
        "bootstrap, OpenshiftAssistedConfigTemplate",
        "controlplane, OpenshiftAssistedControlPlane",
        "controlplane, OpenshiftAssistedControlPlaneTemplate",
    })
    void explainHasTextForEveryField(String group, String kind) throws Exception {
        JsonNode schema = requests.get(
                        "/openapi/v3/apis/%s.cluster.x-k8s.io/v1beta1".formatted(group), "application/json")
                .path("components")
                .path("schemas")
                .path("io.x-k8s.cluster.%s.v1beta1.%s".formatted(group, kind));

        assertThat(schema.path("description").asText()).isNotBlank();
        assertThat(schema.path("properties").has("spec")).isTrue();
        List<String> undescribed = new ArrayList<>();
        findUndescribed(schema, "", undescribed);
        assertThat(undescribed).isEmpty();
    }

    private static void findUndescribed(JsonNode schema, String path, List<String> into) {
        for (var property : schema.path("properties").properties()) {
            String at = path + "." + property.getKey();
            if (property.getValue().path("description").asText().isBlank()) {
                into.add(at);
            }
            findUndescribed(property.getValue(), at, into);
        }
        if (schema.has("items")) {
            findUndescribed(schema.path("items"), path, into);
        }
    }

    private GenericKubernetesResource applyTaint(String manager, String effect) {
        GenericKubernetesResource tainted = ApiSamples.with(
                ApiSamples.controlPlane("tainted"),
                "machineTemplate.spec.taints",
                "[{\"key\": \"a\", \"effect\": \"%s\", \"propagation\": \"Always\"}]".formatted(effect));
        return client.resource(tainted)
                .inNamespace(namespace)
                .fieldManager(manager)
                .serverSideApply();
    }

    private OpenshiftAssistedControlPlane writeStatus(String name, OpenshiftAssistedControlPlaneStatus status) {
        var unused = client.resource(ApiSamples.controlPlane(name))
                .inNamespace(namespace)
                .create();
        OpenshiftAssistedControlPlane controlPlane = new OpenshiftAssistedControlPlane();
        controlPlane.getMetadata().setName(name);
        controlPlane.setStatus(status);
        return client.resource(controlPlane)
                .inNamespace(namespace)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE));
    }

    private static OpenshiftAssistedControlPlaneStatus status(int replicas, List<Condition> conditions) {
        return new OpenshiftAssistedControlPlaneStatus(
                null,
                "cluster.x-k8s.io/cluster-name=prod",
                replicas,
                0,
                null,
                null,
                null,
                null,
                "4.20.3",
                null,
                null,
                1L,
                conditions);
    }

    private static Condition condition(String type, String status) {
        return new Condition(type, status, "Because", "", TRANSITION, 1L);
    }

    private static List<String> cells(JsonNode table) {
        return texts(table.path("rows").path(0).path("cells"));
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(element -> texts.add(element.isNull() ? "" : element.asText()));
        return texts;
    }
}
