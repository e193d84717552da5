package io.capoa.lab.assisted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.host.Hosts;
import io.capoa.lab.workload.Json;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.WorkloadClusters;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A single-node cluster on a real API server; the test acts as the providers and Metal3. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SingleNodeInstallTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private TestCluster cluster;
    private KubernetesClient admin;
    private KubernetesClient serviceClient;
    private KubernetesClient hostClient;
    private WorkloadClusters workloads;
    private AssistedServiceSimulator service;
    private Hosts hosts;
    private @org.jspecify.annotations.Nullable String held;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        cluster = LocalCluster.builder().start();
        admin = cluster.admin();
        for (String file : List.of(
                "agents.agent-install.openshift.io",
                "infraenvs.agent-install.openshift.io",
                "nmstateconfigs.agent-install.openshift.io",
                "agentclusterinstalls.extensions.hive.openshift.io",
                "clusterdeployments.hive.openshift.io",
                "clusterimagesets.hive.openshift.io",
                "baremetalhosts.metal3.io")) {
            OpenKinds.define(admin, file);
        }
        for (String user : List.of(KnownUsers.ASSISTED_SERVICE, KnownUsers.WORKLOAD)) {
            admin.resource(new ClusterRoleBindingBuilder()
                            .withNewMetadata()
                            .withName(user)
                            .endMetadata()
                            .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                            .withSubjects(cluster.subject(user))
                            .build())
                    .create();
        }
        serviceClient = cluster.clientOf(KnownUsers.ASSISTED_SERVICE);
        hostClient = cluster.clientOf(KnownUsers.WORKLOAD);
        workloads = new WorkloadClusters(0).start();
        service = as(new AssistedServiceSimulator(
                        serviceClient, workloads, ReleaseVersions::fromTag, Delays.none(), 0, true))
                .start();
        hosts = new Hosts(hostClient, Delays.none(), Files.createDirectories(folder.resolve("hosts"))).start();
    }

    /** Configures the service. */
    AssistedServiceSimulator as(AssistedServiceSimulator usual) {
        return usual;
    }

    /** Status of a download without a token. */
    int withoutToken() {
        return 401;
    }

    @AfterAll
    void stop() {
        hosts.close();
        service.close();
        workloads.close();
        serviceClient.close();
        hostClient.close();
        cluster.close();
    }

    @Test
    void whenItsOnlyHostIsApproved_theClusterIsInstalledAndTheNodeCarriesItsLabel() throws Exception {
        apply("""
            apiVersion: v1
            kind: Secret
            metadata: {name: pull, namespace: default}
            stringData: {.dockerconfigjson: '{"auths":{"registry.test":{"auth":"dXNlcjpwdw=="}}}'}
            """);
        apply("""
            apiVersion: hive.openshift.io/v1
            kind: ClusterDeployment
            metadata: {name: sno, namespace: default}
            spec:
              clusterName: sno
              baseDomain: lab.test
              platform: {agentBareMetal: {agentSelector: {}}}
              pullSecretRef: {name: pull}
              clusterInstallRef:
                {group: extensions.hive.openshift.io, version: v1beta1, kind: AgentClusterInstall, name: sno}
            """);
        apply("""
            apiVersion: extensions.hive.openshift.io/v1beta1
            kind: AgentClusterInstall
            metadata: {name: sno, namespace: default}
            spec:
              clusterDeploymentRef: {name: sno}
              imageSetRef: {name: sno}
              networking: {}
              provisionRequirements: {controlPlaneAgents: 1}
            """);
        apply("""
            apiVersion: agent-install.openshift.io/v1beta1
            kind: InfraEnv
            metadata: {name: m-0, namespace: default}
            spec:
              clusterRef: {name: sno, namespace: default}
              pullSecretRef: {name: pull}
            """);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(condition(install(), "SpecSynced")).isEqualTo("False/BackendError"));
        apply("""
            apiVersion: hive.openshift.io/v1
            kind: ClusterImageSet
            metadata: {name: sno}
            spec: {releaseImage: "quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64"}
            """);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(condition(infraEnv(), "ImageCreated")).isEqualTo("True/InfraEnvAvailable"));

        String url = Fields.string(infraEnv(), "status", "bootArtifacts", "discoveryIgnitionURL");
        assertThat(get(url.replaceAll("api_key=[^&]*&", "")).statusCode()).isEqualTo(withoutToken());
        hold("bmh-0", "Rebooting");
        boot("bmh-0", get(url).body());

        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(condition(install(), "RequirementsMet")).isEqualTo("False/UnapprovedAgents"));
        Agent agent = admin.resources(Agent.class)
                .inNamespace("default")
                .list()
                .getItems()
                .getFirst();
        assertThat(Fields.list(agent, "status", "inventory", "interfaces").getFirst())
                .extracting(i -> Fields.any(i, "macAddress"))
                .isEqualTo("52:54:00:00:00:01");
        admin.resource(agent)
                .patch(
                        MERGE,
                        Json.text(Map.of(
                                "spec",
                                Map.of(
                                        "approved",
                                        true,
                                        "role",
                                        "master",
                                        "ignitionConfigOverrides",
                                        Json.text(labelIgnition())))));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Fields.string(install(), "status", "debugInfo", "state"))
                        .isEqualTo("installing"));
        aNewHostIsRefused(get(url).body());
        hold("bmh-0", null);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Fields.string(install(), "status", "debugInfo", "state"))
                        .isEqualTo("adding-hosts"));
        theRefusedHostRegistersAfterItsNextBoot();
        assertThat(condition(install(), "Completed")).isEqualTo("True/InstallationCompleted");
        assertThat(Fields.string(install(), "spec", "clusterMetadata", "adminPasswordSecretRef", "name"))
                .isEqualTo("sno-admin-password");
        try (KubernetesClient workload = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(secret("sno-admin-kubeconfig", "kubeconfig")))
                .build()) {
            var node = workload.nodes().withName("bmh-0").get();
            String uid = admin.genericKubernetesResources("metal3.io/v1alpha1", "BareMetalHost")
                    .inNamespace("default")
                    .withName("bmh-0")
                    .get()
                    .getMetadata()
                    .getUid();
            assertThat(node.getMetadata().getLabels())
                    .containsEntry("metal3.io/uuid", uid)
                    .containsKey("node-role.kubernetes.io/master");
            assertThat(node.getStatus().getNodeInfo().getKubeletVersion()).startsWith("v1.33.");
        }

        admin.resources(ClusterDeployment.class)
                .inNamespace("default")
                .withName("sno")
                .delete();
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(admin.resources(ClusterDeployment.class)
                            .inNamespace("default")
                            .withName("sno")
                            .get())
                    .isNull();
            assertThat(admin.resources(Agent.class)
                            .inNamespace("default")
                            .list()
                            .getItems())
                    .isEmpty();
            assertThat(condition(infraEnv(), "ImageCreated")).isEqualTo("Unknown/MissingClusterDeployment");
        });
    }

    /** Its agent does not retry; the host that is being installed may register again at any time. */
    private void aNewHostIsRefused(String ignition) {
        boot("late", ignition);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(hosts.lastRefusal("default", "late"))
                        .hasValueSatisfying(why -> assertThat(why).contains("409")));
        assertThat(agents()).hasSize(1);
    }

    private void theRefusedHostRegistersAfterItsNextBoot() {
        assertThat(hosts.refusals()).as("during the whole installation").isEqualTo(1);
        power("late", "\"off\"");
        await().atMost(PATIENCE).until(() -> hosts.isOff("default", "late"));
        assertThat(agents()).hasSize(1);
        power("late", "null");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(agents()).hasSize(2));
    }

    private List<Agent> agents() {
        return admin.resources(Agent.class).inNamespace("default").list().getItems();
    }

    private void power(String host, String value) {
        annotate(host, "lab.capoa.io/power", value);
    }

    private void hold(String host, @org.jspecify.annotations.Nullable String stage) {
        held = stage;
        if (stage == null) {
            annotate(host, "lab.capoa.io/hold", "null");
        }
    }

    private void annotate(String host, String annotation, String json) {
        admin.genericKubernetesResources("metal3.io/v1alpha1", "BareMetalHost")
                .inNamespace("default")
                .withName(host)
                .patch(MERGE, "{\"metadata\":{\"annotations\":{\"" + annotation + "\":" + json + "}}}");
    }

    /** Labels a Node as the provider's script does. */
    private static Map<String, Object> labelIgnition() {
        String script = """
            #!/bin/bash
            set -euo pipefail
            uuid="$(sed -E 's/.*"uuid":"([^"]*)".*/\\1/' "$CAPOA_CONFIG_DRIVE/openstack/latest/meta_data.json")"
            echo "CUSTOM_KUBELET_LABELS=metal3.io/uuid=$uuid" >>"$CAPOA_ROOT/etc/kubernetes/kubelet-env"
            """;
        String unit = """
            [Unit]
            Before=kubelet.service
            [Service]
            Type=oneshot
            ExecStart=/usr/local/bin/label
            """;
        return IgnitionMaps.config(
                List.of(IgnitionMaps.file("/usr/local/bin/label", 0755, script)),
                List.of(IgnitionMaps.unit("label.service", unit)));
    }

    /** Acts as Metal3: provisions a host with the ignition as user data. */
    private void boot(String host, String ignition) {
        admin.resource(new io.fabric8.kubernetes.api.model.SecretBuilder()
                        .withNewMetadata()
                        .withName("bootstrap-" + host)
                        .withNamespace("default")
                        .endMetadata()
                        .addToStringData("value", ignition)
                        .build())
                .create();
        apply("""
            apiVersion: metal3.io/v1alpha1
            kind: BareMetalHost
            metadata: {name: %1$s, namespace: default, annotations: {lab.capoa.io/hold: '%2$s'}}
            spec:
              online: true
              bootMACAddress: "52:54:00:00:00:0%3$d"
              image: {url: "http://images.test/rhcos.qcow2"}
              userData: {name: bootstrap-%1$s, namespace: default}
            """.formatted(host, held == null ? "" : held, host.equals("late") ? 2 : 1));
        admin.genericKubernetesResources("metal3.io/v1alpha1", "BareMetalHost")
                .inNamespace("default")
                .withName(host)
                .subresource("status")
                .patch(MERGE, """
                    {"status":{"provisioning":{"state":"provisioned","ID":"1"},"poweredOn":true,
                     "operationalStatus":"OK","errorCount":0,"errorMessage":""}}\
                    """);
    }

    private void apply(String yaml) {
        admin.resource(yaml).create();
    }

    private AgentClusterInstall install() {
        return admin.resources(AgentClusterInstall.class)
                .inNamespace("default")
                .withName("sno")
                .get();
    }

    private InfraEnv infraEnv() {
        return admin.resources(InfraEnv.class)
                .inNamespace("default")
                .withName("m-0")
                .get();
    }

    private String secret(String name, String key) {
        String data = admin.secrets()
                .inNamespace("default")
                .withName(name)
                .get()
                .getData()
                .get(key);
        return new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8);
    }

    private static String condition(GenericKubernetesResource resource, String type) {
        return ConditionView.of(resource, type)
                .map(c -> c.status() + "/" + c.reason())
                .orElse("absent");
    }

    private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
