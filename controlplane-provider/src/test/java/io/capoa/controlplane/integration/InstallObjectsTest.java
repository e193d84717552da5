package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.Finalizers;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Fields;
import io.capoa.lab.registry.SyntheticRelease;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The install objects for assisted-service. */
@ExtendWith(SharedControlPlane.class)
@Execution(ExecutionMode.CONCURRENT)
class InstallObjectsTest {

    private static final String PULL_SECRET_NOWHERE =
            "spec: {config: {pullSecretRef: null}, openshiftAssistedConfigSpec: {pullSecretRef: null}}";

    @Test
    void everySettingArrives_underTheNameThatTheUserGivesTheCluster(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.apply("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: extra}
                data: {a.yaml: '{}'}
                """);
            peers.controlPlane("""
                spec:
                  config:
                    clusterName: prod
                    sshAuthorizedKey: ssh-ed25519 AAAA
                    mastersSchedulable: true
                    manifestsConfigMapRefs: [{name: extra}]
                    diskEncryption: {enableOn: all, mode: tpmv2}
                    proxy: {httpProxy: "http://proxy.example:3128", noProxy: .example}
                    capabilities: {additionalEnabledCapabilities: [CloudControllerManager]}
                """);
            scene.untilHostsAreAwaited();

            var deployment = peers.deployment();
            assertThat(Fields.string(deployment, "spec", "clusterName")).isEqualTo("prod");
            assertThat(Fields.string(deployment, "spec", "baseDomain")).isEqualTo("lab.example");
            assertThat(Fields.string(deployment, "spec", "pullSecretRef", "name"))
                    .isEqualTo("pull-secret");
            assertThat(Fields.map(deployment, "spec", "platform")).containsOnlyKeys("agentBareMetal");
            assertThat(Fields.map(deployment, "spec", "clusterInstallRef"))
                    .containsEntry("kind", "AgentClusterInstall")
                    .containsEntry("name", "one");
            AgentClusterInstall install = peers.install();
            assertThat(Fields.map(install, "spec"))
                    .containsEntry("platformType", "BareMetal")
                    .containsEntry("apiVIPs", List.of("192.0.2.10"))
                    .containsEntry("ingressVIPs", List.of("192.0.2.11"))
                    .containsEntry("sshPublicKey", "ssh-ed25519 AAAA")
                    .containsEntry("mastersSchedulable", true)
                    .containsEntry("diskEncryption", Map.of("enableOn", "all", "mode", "tpmv2"))
                    .containsEntry("proxy", Map.of("httpProxy", "http://proxy.example:3128", "noProxy", ".example"))
                    .containsEntry("provisionRequirements", Map.of("controlPlaneAgents", 3));
            assertThat(Fields.list(install, "spec", "manifestsConfigMapRefs").contains(Map.of("name", "extra")))
                    .isTrue();
            for (var object : List.of(deployment, install)) {
                assertThat(object.getMetadata().getLabels())
                        .containsEntry("cluster.x-k8s.io/cluster-name", "one")
                        .containsEntry("cluster.x-k8s.io/control-plane-name", "one")
                        .containsEntry("cluster.x-k8s.io/control-plane", "");
                assertThat(object.getMetadata().getOwnerReferences())
                        .extracting("kind")
                        .containsExactly("OpenshiftAssistedControlPlane");
            }
            assertThat(install.getMetadata().getLabels())
                    .containsEntry(
                            "agentclusterinstalls.agent-install.openshift.io/consumer",
                            "OpenshiftAssistedControlPlane");
            assertThat(install.getMetadata().getAnnotations().get(Annotations.ACI_INSTALL_CONFIG_OVERRIDES))
                    .contains("\"baselineCapabilitySet\":\"None\"", "\"CloudControllerManager\"");
            assertThat(peers.current().getMetadata().getFinalizers()).contains(Finalizers.CONTROL_PLANE);
            assertThat(scene.status().version()).isEqualTo("v1.33.5");
            assertThat(scene.isTrue("KubernetesVersionAvailable")).isTrue();
        }
    }

    @Test
    void twoControlPlanesWithoutPullSecret_shareTheNamespace_andTheirSpecsStayAsWritten(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers one = scene.peers;
            ControlPlanePeers two = one.beside("two");
            two.template();
            one.controlPlane("spec: {distributionVersion: 4.18.0-okd-scos.2}", PULL_SECRET_NOWHERE);
            two.controlPlane(PULL_SECRET_NOWHERE);
            ControlPlaneScene.untilHostsAreAwaited(one);
            ControlPlaneScene.untilHostsAreAwaited(two);

            for (ControlPlanePeers each : List.of(one, two)) {
                assertThat(Fields.string(each.deployment(), "spec", "pullSecretRef", "name"))
                        .isEqualTo("placeholder-pull-secret");
                assertThat(each.current().getSpec().config().pullSecretRef()).isNull();
            }
            assertThat(release(one)).isEqualTo("quay.io/okd/scos-release@" + digest("4.18.0-okd-scos.2"));
            assertThat(release(two)).isEqualTo("quay.io/openshift-release-dev/ocp-release@" + digest("4.20.3-x86_64"));
            assertThat(one.client
                            .secrets()
                            .inNamespace(one.namespace)
                            .withName("placeholder-pull-secret")
                            .require()
                            .getMetadata()
                            .getOwnerReferences())
                    .isEmpty();
        }
    }

    @Test
    void clustersOfOneNameInTwoNamespaces_haveNothingInCommon(RunningControlPlane shared) {
        try (ControlPlaneScene one = ControlPlaneScene.of(shared);
                ControlPlaneScene another = ControlPlaneScene.of(shared)) {
            ControlPlanePeers here = one.peers;
            ControlPlanePeers there = another.peers;
            here.controlPlane();
            there.controlPlane("spec: {distributionVersion: 4.19.1}");
            ControlPlaneScene.untilHostsAreAwaited(here);
            ControlPlaneScene.untilHostsAreAwaited(there);

            assertThat(here.imageSet().getMetadata().getName())
                    .isNotEqualTo(there.imageSet().getMetadata().getName());
            assertThat(release(here)).endsWith(digest("4.20.3-x86_64"));
            assertThat(release(there)).endsWith(digest("4.19.1-x86_64"));

            here.installState("finalizing");
            here.publishKubeconfig("here");
            within(() ->
                    here.kubeconfig() != null && ControlPlaneScene.status(here).initialization() != null);
            assertThat(there.kubeconfig()).isNull();
            assertThat(ControlPlaneScene.status(there).initialization()).isNull();

            here.client.resource(here.current()).delete();
            within(() -> here.install() == null);
            assertThat(there.install().getMetadata().getDeletionTimestamp()).isNull();
            assertThat(there.imageSet()).isNotNull();
            assertThat(shared.registry.requests().count()).isPositive();
        }
    }

    @Test
    void theArchitectureIsThatOfAllHosts_andMultiWhereTheyDiffer(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers same = scene.peers;
            same.controlPlane("spec: {openshiftAssistedConfigSpec: {cpuArchitecture: arm64}}");
            ControlPlaneScene.untilHostsAreAwaited(same);
            assertThat(release(same)).endsWith(digest("4.20.3-aarch64"));

            ControlPlanePeers mixed = same.beside("mixed");
            mixed.template();
            mixed.apply("""
                apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedConfig
                metadata: {name: worker, labels: {cluster.x-k8s.io/cluster-name: mixed}}
                spec: {cpuArchitecture: x86_64}
                """);
            mixed.controlPlane("spec: {openshiftAssistedConfigSpec: {cpuArchitecture: arm64}}");
            ControlPlaneScene.untilHostsAreAwaited(mixed);
            assertThat(release(mixed)).endsWith(digest("4.20.3-multi"));
        }
    }

    @Test
    void anotherRepository_isAskedForTheRelease(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            scene.running.registry.serve("ocp/release");
            scene.peers.controlPlane("metadata: {annotations: {cluster.x-k8s.io/release-image-repository-override:"
                    + " registry.ci.openshift.org/ocp/release}}");
            scene.untilHostsAreAwaited();

            assertThat(release(scene.peers))
                    .isEqualTo("registry.ci.openshift.org/ocp/release@" + digest("4.20.3-x86_64"));
        }
    }

    @Test
    void whatOthersChange_isCorrected_andTheInstallConfigOfTheUserIsSetAndRemoved(RunningControlPlane shared) {
        try (ControlPlaneScene scene =
                ControlPlaneScene.withControlPlane(shared, "spec: {config: {apiVIPs: null, ingressVIPs: null}}", """
                metadata:
                  annotations:
                    controlplane.cluster.x-k8s.io/install-config-override: '{"networking":{"networkType":"Calico"}}'
                """)) {
            ControlPlanePeers peers = scene.peers;
            assertThat(Fields.string(peers.install(), "spec", "platformType")).isEqualTo("None");
            assertThat(override(peers)).isEqualTo("{\"networking\":{\"networkType\":\"Calico\"}}");

            peers.edit("metadata: {annotations: {controlplane.cluster.x-k8s.io/install-config-override: null}}");
            within(() -> override(peers) == null);

            String byDigest = release(peers);
            peers.merge(
                    peers.imageSet(),
                    "{\"spec\":{\"releaseImage\":\"quay.io/openshift-release-dev/ocp-release:4.20.3-multi\"}}");
            within(() -> byDigest.equals(release(peers)));
            peers.merge(peers.deployment(), "{\"spec\":{\"clusterInstallRef\":{\"name\":\"wrong\"}}}");
            within(() -> "one".equals(Fields.string(peers.deployment(), "spec", "clusterInstallRef", "name")));
        }
    }

    @Test
    void objectsOfOthers_areNotChanged_andReportedIfTheyConflict(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers peers = scene.peers;
            String foreign = """
                apiVersion: hive.openshift.io/v1
                kind: ClusterDeployment
                metadata: {name: %s}
                spec:
                  baseDomain: other.example
                  clusterName: other
                  platform: {agentBareMetal: {agentSelector: {}}}
                  pullSecretRef: {name: other}
                """;
            peers.apply(foreign.formatted("somebodys"));
            peers.apply(foreign.formatted("one"));
            peers.controlPlane();
            within(() -> scene.message("Ready").contains("ClusterDeployment one belongs to another owner"));
            assertThat(Fields.string(peers.deployment(), "spec", "clusterName")).isEqualTo("other");
            assertThat(peers.install()).isNull();

            peers.client.resource(peers.deployment()).delete();
            scene.untilHostsAreAwaited();
            assertThat(Fields.string(peers.deployment(), "spec", "clusterName")).isEqualTo("one");
            assertThat(peers.beside("somebodys").deployment().getMetadata().getOwnerReferences())
                    .isEmpty();
        }
    }

    @Test
    void aVersionThatIsTooOld_isReported_andNothingIsCreated(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            scene.peers.controlPlane("spec: {distributionVersion: 4.12.0}");
            within(() -> scene.message("MachinesCreated")
                    .equals("version 4.12.0 is not supported, the minimum supported version is 4.14.0"));
            assertThat(scene.peers.machines()).isEmpty();
            assertThat(scene.peers.deployment()).isNull();
            assertThat(shared.registry.requests().lines()).noneMatch(line -> line.contains("4.12.0"));
        }
    }

    @Test
    void aSingleNode_isPlatformNone_withoutVips(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(
                shared, "spec: {replicas: 1, config: {apiVIPs: null, ingressVIPs: null}}")) {
            AgentClusterInstall install = scene.peers.install();
            assertThat(Fields.map(install, "spec"))
                    .containsEntry("platformType", "None")
                    .containsEntry("provisionRequirements", Map.of("controlPlaneAgents", 1))
                    .doesNotContainKeys("apiVIPs", "ingressVIPs");
            assertThat(scene.peers.machines()).hasSize(1);
        }
    }

    private static String override(ControlPlanePeers peers) {
        Map<String, String> annotations = peers.install().getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(Annotations.ACI_INSTALL_CONFIG_OVERRIDES);
    }

    private static String release(ControlPlanePeers peers) {
        ClusterImageSet imageSet = peers.imageSet();
        return Fields.string(imageSet, "spec", "releaseImage");
    }

    private static String digest(String tag) {
        return SyntheticRelease.ofTag(tag).digest();
    }
}
