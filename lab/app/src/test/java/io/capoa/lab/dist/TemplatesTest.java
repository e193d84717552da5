package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.provider.Variables;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples, and cluster templates with values of a user: the API server accepts every object. */
@ExtendWith(SharedCluster.class)
@TestInstance(Lifecycle.PER_CLASS)
class TemplatesTest {

    /** Variables without default, which only the user knows. */
    static final Map<String, String> VALUES = Map.ofEntries(
            Map.entry("CLUSTER_NAME", "prod"),
            Map.entry("BASE_DOMAIN", "example.com"),
            Map.entry("API_VIP", "192.0.2.10"),
            Map.entry("INGRESS_VIP", "192.0.2.11"),
            Map.entry("MACHINE_CIDR", "192.0.2.0/24"),
            Map.entry("NTP_SERVER", "ntp.example.com"),
            Map.entry("KUBERNETES_VERSION", "v1.33.5"),
            Map.entry("IMAGE_URL", "http://images.example.com/rhcos.qcow2"),
            Map.entry("IMAGE_CHECKSUM", "http://images.example.com/rhcos.qcow2.sha256"),
            Map.entry(
                    "SSH_AUTHORIZED_KEY",
                    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPeXxGfYiivq4D6y83VQVs6i/sl4yVMTp0DbnMAp3K2R me@example"),
            Map.entry("INFRASTRUCTURE_GROUP", "infrastructure.lab.capoa.io"),
            Map.entry("INFRASTRUCTURE_VERSION", "v1beta1"),
            Map.entry("INFRASTRUCTURE_CLUSTER_KIND", "LabCloudCluster"),
            Map.entry("INFRASTRUCTURE_MACHINE_KIND", "LabCloudMachine"),
            Map.entry("INFRASTRUCTURE_CLUSTER_SPEC", "{region: lab-north}"),
            Map.entry("CONTROL_PLANE_MACHINE_SPEC", "{image: rhcos-4.20, instanceType: large}"),
            Map.entry("WORKER_MACHINE_SPEC", "{image: rhcos-4.20}"),
            Map.entry("PLATFORM_NAME", "lab-cloud"));

    private static final Set<String> TOPOLOGY =
            Set.of("cluster-template-topology.yaml", "clusterclass-openshift-baremetal.yaml");

    private final KubernetesClient admin;
    private final ServerDryRun server;
    private String namespace = "";
    private final DistRelease release = DistRelease.built();

    TemplatesTest(TestCluster cluster) {
        this.admin = cluster.admin();
        this.server = new ServerDryRun(admin);
        // All kinds of the publishers: ClusterClass, too.
        ManagementCluster.on(cluster).prepare();
    }

    @BeforeAll
    void makeNamespace() {
        namespace = admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("templates-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
    }

    private void assumeServed(String template) {
        assumeTrue(
                !TOPOLOGY.contains(template) || admin.supports("cluster.x-k8s.io/v1beta2", "ClusterClass"),
                "kind ClusterClass is not installed: name the folder of the publishers' CRDs with -Dcapoa.crds");
    }

    @AfterAll
    void removeNamespace() {
        var unused = admin.namespaces().withName(namespace).delete();
    }

    /** Samples and templates; {@link OlderCapm3Test} has those for other versions of Metal3's kinds. */
    static List<ClusterExample> examples() {
        return ClusterExample.all().stream()
                .filter(example -> !example.name().contains(ClusterExample.OLDER_CAPM3))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void theApiServerTakesEveryObject(ClusterExample example) throws Exception {
        assumeServed(example.name());
        for (GenericKubernetesResource object : example.objects()) {
            ServerDryRun.Answer answer = server.apply(object, namespace);
            assertThat(answer.code())
                    .as("%s %s: %s", object.getKind(), object.getMetadata().getName(), answer.body())
                    .isIn(200, 201);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cluster-template.yaml | API_VIP BASE_DOMAIN CLUSTER_NAME IMAGE_CHECKSUM IMAGE_URL INGRESS_VIP",
                "cluster-template-single-node.yaml | BASE_DOMAIN CLUSTER_NAME IMAGE_CHECKSUM IMAGE_URL MACHINE_CIDR",
                "cluster-template-okd.yaml | API_VIP BASE_DOMAIN CLUSTER_NAME IMAGE_CHECKSUM IMAGE_URL INGRESS_VIP",
                "cluster-template-live-iso.yaml | API_VIP BASE_DOMAIN CLUSTER_NAME INGRESS_VIP",
                "cluster-template-capm3-v1beta1.yaml | API_VIP BASE_DOMAIN CLUSTER_NAME IMAGE_CHECKSUM IMAGE_URL"
                        + " INGRESS_VIP",
                "cluster-template-disconnected.yaml | API_VIP BASE_DOMAIN CLUSTER_NAME IMAGE_CHECKSUM IMAGE_URL"
                        + " INGRESS_VIP NTP_SERVER",
                "cluster-template-external.yaml | BASE_DOMAIN CLUSTER_NAME CONTROL_PLANE_MACHINE_SPEC"
                        + " INFRASTRUCTURE_CLUSTER_KIND INFRASTRUCTURE_CLUSTER_SPEC INFRASTRUCTURE_GROUP"
                        + " INFRASTRUCTURE_MACHINE_KIND INFRASTRUCTURE_VERSION PLATFORM_NAME WORKER_MACHINE_SPEC",
                "cluster-template-topology.yaml | API_VIP BASE_DOMAIN CLUSTER_NAME IMAGE_CHECKSUM IMAGE_URL"
                        + " INGRESS_VIP KUBERNETES_VERSION",
                "clusterclass-openshift-baremetal.yaml | ''"
            })
    void onlyValuesThatTheUserKnowsHaveNoDefault(String template, String required) {
        assertThat(String.join(" ", Variables.required(release.file(DistRelease.CONTROL_PLANE, template))))
                .isEqualTo(required);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cluster-template.yaml", "cluster-template-okd.yaml", "cluster-template-topology.yaml"})
    void anSshKeyMayBeLeftOut(String template) throws Exception {
        assumeServed(template);
        Map<String, String> without = VALUES.entrySet().stream()
                .filter(value -> !value.getKey().equals("SSH_AUTHORIZED_KEY"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

        for (GenericKubernetesResource object : objects(template, without)) {
            ServerDryRun.Answer answer = server.apply(object, namespace);
            assertThat(answer.code()).as(answer.body()).isIn(200, 201);
        }
    }

    @Test
    void theTemplateForAnyInfrastructure_namesNoProvider() {
        assertThat(release.file(DistRelease.CONTROL_PLANE, "cluster-template-external.yaml"))
                .doesNotContain("Metal3", "LabCloud", "capoa.io");
    }

    /** Every variable of the class is in its patches, and every template that a patch changes is in the class. */
    @Test
    void theClassUsesAllItsVariables() {
        String text = release.file(DistRelease.CONTROL_PLANE, "clusterclass-openshift-baremetal.yaml");
        GenericKubernetesResource clusterClass = objects("clusterclass-openshift-baremetal.yaml", VALUES).stream()
                .filter(object -> object.getKind().equals("ClusterClass"))
                .findFirst()
                .orElseThrow();
        List<Map<String, Object>> variables = clusterClass.get("spec", "variables");
        List<Map<String, Object>> given = objects("cluster-template-topology.yaml", VALUES).stream()
                .filter(object -> object.getKind().equals("Cluster"))
                .findFirst()
                .orElseThrow()
                .get("spec", "topology", "variables");

        assertThat(variables)
                .extracting(variable -> variable.get("name"))
                .allSatisfy(name -> assertThat(text).containsPattern("variable: " + name + "\\b|[{ ][.]" + name + " "));
        assertThat(given)
                .extracting(variable -> variable.get("name"))
                .isEqualTo(
                        variables.stream().map(variable -> variable.get("name")).toList());
    }

    private List<GenericKubernetesResource> objects(String template, Map<String, String> values) {
        return DistRelease.objects(Variables.fill(release.file(DistRelease.CONTROL_PLANE, template), values));
    }
}
