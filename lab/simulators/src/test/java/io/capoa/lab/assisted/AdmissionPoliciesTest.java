package io.capoa.lab.assisted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Fields;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.workload.Json;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Admission policies reject what assisted-service's webhooks reject, with the same messages. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class AdmissionPoliciesTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String IMMUTABLE =
            "Attempted to change AgentClusterInstall.Spec which is immutable after install started, except for"
                    + " ClusterMetadata,IgnitionEndpoint fields. Unsupported change: ";
    private static final String NAMESPACE = "default";

    private KubernetesClient client;

    @BeforeEach
    void of(TestCluster cluster) {
        client = cluster.admin();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {sshPublicKey: other}                                              | SSHPublicKey
            {networking: {networkType: Calico}}                                | Networking.NetworkType
            {holdInstallation: true}                                           | HoldInstallation
            {proxy: {noProxy: .lab}}                                           | Proxy.NoProxy
            {provisionRequirements: {workerAgents: 2}, apiVIPs: [192.0.2.9]}   | ProvisionRequirements.WorkerAgents, APIVIPs
            """)
    void onceTheInstallationHasStarted_itsSpecIsImmutable(String change, String fields) {
        AgentClusterInstall install = install("{}");
        reason(install, "InstallationInProgress");

        assertThatThrownBy(() -> patch(install, "{spec: " + change + "}")).hasMessageContaining(IMMUTABLE + fields);
    }

    @Test
    void onceStarted_zeroValuesAndMetadataMayChange_andCountsOnceItIsOver() {
        AgentClusterInstall install = install("{}");
        reason(install, "InstallationInProgress");
        patch(install, "{spec: {holdInstallation: false, sshPublicKey: '', provisionRequirements: {workerAgents: 0}}}");
        patch(install, "{spec: {clusterMetadata: {clusterID: a, infraID: b, adminKubeconfigSecretRef: {name: k}}}}");

        reason(install, "InstallationCompleted");
        patch(install, "{spec: {provisionRequirements: {workerAgents: 3}}}");
        assertThatThrownBy(() -> patch(install, "{spec: {sshPublicKey: other}}"))
                .hasMessageContaining(IMMUTABLE + "SSHPublicKey");
    }

    @Test
    void theImageSet_neverChanges() {
        AgentClusterInstall install = install("{imageSetRef: {name: a}}");

        assertThatThrownBy(() -> patch(install, "{spec: {imageSetRef: {name: b}}}"))
                .hasMessageContaining("Attempted to change AgentClusterInstall.ImageSetRef which is immutable");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {provisionRequirements: {controlPlaneAgents: 1}}                            | true
            {provisionRequirements: {controlPlaneAgents: 3}}                            | false
            {provisionRequirements: {controlPlaneAgents: 3}, platformType: None}        | true
            {provisionRequirements: {controlPlaneAgents: 3}, platformType: BareMetal}   | false
            {networking: {userManagedNetworking: true}, platformType: BareMetal}        | true
            """)
    void userManagedNetworking_isDefaulted(String spec, boolean expected) {
        assumeThat(client.supports("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy"))
                .as("the API server serves MutatingAdmissionPolicy")
                .isTrue();

        assertThat(Fields.any(install(spec), "spec", "networking", "userManagedNetworking"))
                .isEqualTo(expected);
    }

    @Test
    void aSingleNodeWithoutIt_isRefused() {
        assertThatThrownBy(() -> install(
                        "{provisionRequirements: {controlPlaneAgents: 1}, networking: {userManagedNetworking: false}}"))
                .hasMessageContaining("UserManagedNetworking must be set to true with SNO");
    }

    @Test
    void anInfraEnvs_clusterAndArchitectureStay() {
        GenericKubernetesResource created = client.resource(infraEnv("{clusterRef: {name: c, namespace: default}}"))
                .create();

        assertThatThrownBy(() -> patch(created, "{spec: {clusterRef: {name: d, namespace: default}}}"))
                .hasMessageContaining(
                        "Attempted to change Spec.ClusterRef which is immutable after InfraEnv creation.");
        assertThatThrownBy(() -> patch(created, "{spec: {cpuArchitecture: arm64}}"))
                .hasMessageContaining(
                        "Attempted to change Spec.CpuArchitecture which is immutable after InfraEnv creation.");
        patch(created, "{spec: {cpuArchitecture: x86_64}}");
    }

    @Test
    void anAgents_clusterStaysWhileItInstalls() {
        Agent agent = new Agent();
        GenericKubernetesResource created = client.resource(
                        object(agent, "agent-install.openshift.io/v1beta1", "Agent", """
                {approved: true, role: master, clusterDeploymentName: {name: c, namespace: default}}"""))
                .create();
        assertThatThrownBy(() -> patch(created, "{spec: {clusterDeploymentName: {name: c, namespace: elsewhere}}}"))
                .hasMessageContaining("Spec.ClusterDeploymentName.Namespace must match the Agent namespace");
        patch(created, "{spec: {clusterDeploymentName: {name: d}}}");
        status(created, "{debugInfo: {state: installing-in-progress, eventsURL: ''}}");

        assertThatThrownBy(() -> patch(created, "{spec: {clusterDeploymentName: null}}"))
                .hasMessageContaining(
                        "Attempted to change Spec.ClusterDeploymentName which is immutable during Agent installation.");
    }

    private AgentClusterInstall install(String spec) {
        Map<String, Object> whole = new LinkedHashMap<>(Map.of(
                "clusterDeploymentRef",
                Map.of("name", "c"),
                "networking",
                Map.of(),
                "provisionRequirements",
                Map.of("controlPlaneAgents", 3)));
        whole.putAll(yaml(spec));
        AgentClusterInstall install = new AgentClusterInstall();
        object(install, "extensions.hive.openshift.io/v1beta1", "AgentClusterInstall", "{}");
        install.setAdditionalProperty("spec", whole);
        return client.resource(install).create();
    }

    private static GenericKubernetesResource infraEnv(String spec) {
        GenericKubernetesResource infraEnv =
                object(new io.capoa.api.contract.InfraEnv(), "agent-install.openshift.io/v1beta1", "InfraEnv", spec);
        Map<String, Object> whole = new LinkedHashMap<>(Fields.map(infraEnv, "spec"));
        whole.put("pullSecretRef", Map.of("name", "pull"));
        infraEnv.setAdditionalProperty("spec", whole);
        return infraEnv;
    }

    private static <R extends GenericKubernetesResource> R object(
            R object, String apiVersion, String kind, String spec) {
        object.setApiVersion(apiVersion);
        object.setKind(kind);
        object.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .withNamespace(NAMESPACE)
                .withName("p-" + UUID.randomUUID())
                .build());
        object.setAdditionalProperty("spec", yaml(spec));
        return object;
    }

    private void reason(AgentClusterInstall install, String reason) {
        status(
                install,
                "{debugInfo: {eventsURL: '', logsURL: ''}, conditions: [{type: Completed, status: 'False', reason: "
                        + reason + ", message: m}]}");
    }

    private void status(GenericKubernetesResource object, String status) {
        try {
            client.resource(object).subresource("status").patch(MERGE, Json.text(Map.of("status", yaml(status))));
        } catch (KubernetesClientException e) {
            throw new AssertionError("the status is not taken", e);
        }
    }

    private void patch(GenericKubernetesResource object, String fragment) {
        client.resource(object).patch(MERGE, Json.text(yaml(fragment)));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> yaml(String text) {
        return Serialization.unmarshal("---\n" + text, Map.class);
    }
}
