package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Fields;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Status of the control plane during the installation, and with an unavailable registry. */
@ExtendWith({SharedCluster.class, SharedControlPlane.class})
@Execution(ExecutionMode.CONCURRENT)
class InstallProgressTest {

    /** Of one architecture: its manifest and its layer. */
    private static final int REQUESTS_FOR_A_RELEASE = 2;

    @Test
    void theKubeconfig_followsItsSource_andIsMadeAgain(RunningControlPlane shared) {
        try (ControlPlaneScene scene =
                ControlPlaneScene.withControlPlane(shared, "spec: {config: {clusterName: prod}}")) {
            ControlPlanePeers peers = scene.peers;
            peers.installState("installing");
            within(() -> scene.reason("InstallSucceeding").equals("Installing"));
            assertThat(scene.reason("KubeconfigAvailable")).isEqualTo("KubeconfigUnavailable");
            assertThat(scene.status().initialization()).isNull();

            peers.nameKubeconfig();
            within(() -> scene.message("KubeconfigAvailable").contains("Secret one-admin-kubeconfig"));
            assertThat(peers.kubeconfig()).isNull();
            assertThat(scene.status().initialization()).isNull();

            peers.publishKubeconfig("without ingress");
            within(() -> scene.isTrue("KubeconfigAvailable"));
            Secret made = peers.kubeconfig();
            assertThat(made.getType()).isEqualTo("cluster.x-k8s.io/secret");
            assertThat(made.getMetadata().getLabels()).containsEntry("cluster.x-k8s.io/cluster-name", "one");
            assertThat(made.getMetadata().getOwnerReferences())
                    .extracting("kind", "controller")
                    .containsExactly(org.assertj.core.api.Assertions.tuple("OpenshiftAssistedControlPlane", true));
            assertThat(content(made)).isEqualTo("without ingress");

            peers.publishKubeconfig("with ingress");
            within(() -> content(peers.kubeconfig()).equals("with ingress"));
            peers.client.resource(peers.kubeconfig()).delete();
            within(() -> peers.kubeconfig() != null
                    && !made.getMetadata()
                            .getUid()
                            .equals(peers.kubeconfig().getMetadata().getUid()));
            assertThat(content(peers.kubeconfig())).isEqualTo("with ingress");
        }
    }

    @Test
    void onceAvailable_itStaysSo_throughTheLastStates(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.installState("installing");
            peers.publishKubeconfig("any");
            peers.installState("finalizing");
            within(() -> scene.isTrue("Available"));
            Condition available =
                    ControlPlaneScene.condition(peers, "Available").orElseThrow();
            assertThat(scene.status().initialization().controlPlaneInitialized())
                    .isTrue();

            peers.installState("installed");
            peers.complete();
            peers.installState("adding-hosts");
            within(() -> scene.reason("InstallSucceeding").equals("InstallCompleted"));
            assertThat(ControlPlaneScene.condition(peers, "Available")
                            .orElseThrow()
                            .lastTransitionTime())
                    .isEqualTo(available.lastTransitionTime());
            assertThat(scene.isTrue("Available")).isTrue();
        }
    }

    @Test
    void anApiServerThatResponds_isNoticedBeforeTheServiceReportsIt(RunningControlPlane shared) throws IOException {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            String answering = Files.readString(shared.cluster.adminKubeconfig());
            peers.installState("installing");
            peers.publishKubeconfig(
                    answering.replaceAll("server: *\"?https://[^\"\\s]+\"?", "server: https://127.0.0.1:1"));
            within(() -> scene.isTrue("KubeconfigAvailable"));
            assertThat(scene.status().initialization()).isNull();
            assertThat(scene.is("Available", "False")).isTrue();

            peers.publishKubeconfig(answering);
            within(() -> scene.isTrue("Initialized"));
            assertThat(scene.isTrue("Available")).isTrue();
            assertThat(scene.reason("InstallSucceeding")).isEqualTo("Installing");
        }
    }

    @Test
    void aKubeconfigOfTheUser_isNotChanged(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.apply("""
                apiVersion: v1
                kind: Secret
                metadata: {name: one-kubeconfig, labels: {cluster.x-k8s.io/cluster-name: one}}
                type: Opaque
                stringData: {value: mine}
                """);
            peers.installState("finalizing");
            peers.publishKubeconfig("theirs");
            within(() -> scene.reason("KubeconfigAvailable").equals("KubeconfigUserProvided"));
            assertThat(content(peers.kubeconfig())).isEqualTo("mine");
            assertThat(scene.message("KubeconfigAvailable")).contains("Secret one-kubeconfig");
        }
    }

    @Test
    void aKubeconfigThatTheUserReplaced_isKept_untilItsSourceChanges_orItIsDamaged(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.installState("installing");
            peers.publishKubeconfig(usable("of-the-service"));
            within(() -> scene.reason("KubeconfigAvailable").equals("KubeconfigAvailable"));

            write(peers, usable("mine"));
            within(() -> scene.reason("KubeconfigAvailable").equals("KubeconfigUserProvided"));
            assertThat(scene.message("KubeconfigAvailable"))
                    .contains("Secret one-kubeconfig", "Secret one-admin-kubeconfig", "delete it");
            assertThat(content(peers.kubeconfig())).isEqualTo(usable("mine"));

            write(peers, "damaged");
            within(() -> isCopied(scene, usable("of-the-service")));
            write(peers, usable("mine"));
            within(() -> scene.reason("KubeconfigAvailable").equals("KubeconfigUserProvided"));
            peers.publishKubeconfig(usable("renewed"));
            within(() -> isCopied(scene, usable("renewed")));

            write(peers, usable("mine"));
            within(() -> scene.reason("KubeconfigAvailable").equals("KubeconfigUserProvided"));
            peers.client.resource(peers.kubeconfig()).delete();
            within(() -> isCopied(scene, usable("renewed")));
        }
    }

    /** {@code kubectl create secret … --dry-run=client -o yaml | kubectl replace -f -}: no labels, owners and annotations. */
    @Test
    void aKubeconfigSecretThatTheUserReplacedAsAWhole_isKept(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.installState("finalizing");
            peers.publishKubeconfig(usable("of-the-service"));
            within(() -> scene.isTrue("Initialized"));

            Secret made = peers.kubeconfig();
            made.getMetadata().setLabels(null);
            made.getMetadata().setAnnotations(null);
            made.getMetadata().setOwnerReferences(null);
            made.setData(Map.of(
                    "value", Base64.getEncoder().encodeToString(usable("mine").getBytes(UTF_8))));
            peers.client.resource(made).update();
            within(() -> scene.reason("KubeconfigAvailable").equals("KubeconfigUserProvided"));
            within(() -> !peers.kubeconfig().getMetadata().getOwnerReferences().isEmpty());
            assertThat(content(peers.kubeconfig())).isEqualTo(usable("mine"));
            assertThat(peers.kubeconfig().getMetadata().getLabels())
                    .containsEntry("cluster.x-k8s.io/cluster-name", "one");
        }
    }

    /** The condition is later than the copy; until then it is that of what was there before. */
    private static boolean isCopied(ControlPlaneScene scene, String kubeconfig) {
        return content(scene.peers.kubeconfig()).equals(kubeconfig)
                && scene.reason("KubeconfigAvailable").equals("KubeconfigAvailable");
    }

    /** A kubeconfig that leads nowhere. */
    private static String usable(String token) {
        return """
            clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
            users: [{name: u, user: {token: %s}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """.formatted(token);
    }

    private static void write(ControlPlanePeers peers, String kubeconfig) {
        peers.client
                .secrets()
                .inNamespace(peers.namespace)
                .withName("one-kubeconfig")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"data\":{\"value\":\"%s\"}}"
                                .formatted(Base64.getEncoder().encodeToString(kubeconfig.getBytes(UTF_8))));
    }

    @Test
    void editsDuringTheInstallation_areHeldBackAndShown(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.installState("installing");
            within(() -> scene.reason("InstallSucceeding").equals("Installing"));
            long generation = peers.install().getMetadata().getGeneration();

            peers.edit("spec: {replicas: 5, config: {sshAuthorizedKey: ssh-ed25519 BBBB}}");

            within(() -> scene.message("InstallSucceeding").contains("provisionRequirements")
                    && scene.message("InstallSucceeding").contains("sshPublicKey"));
            assertThat(Fields.map(peers.install(), "spec", "provisionRequirements"))
                    .containsEntry("controlPlaneAgents", 3);
            assertThat(peers.install().getMetadata().getGeneration()).isEqualTo(generation);
            within(() -> scene.message("ScalingUp").contains("the installation is running"));
            assertThat(peers.machines()).hasSize(3);
        }
    }

    @Test
    void beforeTheStart_readySaysTheCause_andAHoldIsNoSuccess(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            within(() -> scene.reason("InstallSucceeding").equals("WaitingForHosts"));
            within(() -> scene.reason("Ready").equals("WaitingForHosts"));

            scene.peers.edit("spec: {config: {holdInstallation: true}}");

            within(() -> scene.reason("InstallSucceeding").equals("InstallationOnHold"));
            assertThat(scene.is("InstallSucceeding", "False")).isTrue();
            assertThat(scene.reason("Ready")).isEqualTo("InstallationOnHold");
            assertThat(scene.message("Available")).contains("holdInstallation is true: set it to false");
        }
    }

    @Test
    void hostsThatNeedAPerson_areNamed_andTheirProgressChangesNothing(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            within(() -> scene.reason("InstallSucceeding").equals("WaitingForHosts"));
            within(() -> configs(peers).size() == 3);
            OpenshiftAssistedConfig host = configs(peers).getFirst();

            ready(peers, host, "False", "AgentValidationFailed", "Host h fails validations: hostname-unique");

            within(() -> scene.reason("InstallSucceeding").equals("HostsNotReady"));
            within(() -> scene.reason("Ready").equals("HostsNotReady"));
            assertThat(scene.is("InstallSucceeding", "False")).isTrue();
            assertThat(scene.message("Available"))
                    .startsWith("the installation has not started: ")
                    .contains(host.getMetadata().getName() + ": Host h fails validations: hostname-unique");

            ready(peers, host, "False", "WaitingForInstallation", "Host h: validating");

            within(() -> scene.reason("InstallSucceeding").equals("WaitingForHosts"));
            within(() -> scene.reason("Ready").equals("WaitingForHosts"));
            assertThat(scene.message("Available")).doesNotContain("Host h");
        }
    }

    private static List<OpenshiftAssistedConfig> configs(ControlPlanePeers peers) {
        return peers.client
                .resources(OpenshiftAssistedConfig.class)
                .inNamespace(peers.namespace)
                .list()
                .getItems();
    }

    private static void ready(
            ControlPlanePeers peers, OpenshiftAssistedConfig config, String status, String reason, String message) {
        peers.status(config, """
                {"status":{"conditions":[{"type":"Ready","status":"%s","reason":"%s","message":"%s",
                 "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}
                """.formatted(status, reason, message));
    }

    @Test
    void aFailedInstallation_isReportedWithTheServicesMessage(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.installState("installing");
            peers.status(peers.install(), """
                {"status":{"debugInfo":{"state":"error","stateInfo":"cluster has hosts in error"},
                 "conditions":[{"type":"Failed","status":"True","reason":"InstallationFailed",
                  "message":"The installation failed: cluster has hosts in error"},
                  {"type":"Stopped","status":"True","reason":"InstallationFailed","message":"The installation has stopped"},
                  {"type":"Completed","status":"False","reason":"InstallationFailed","message":"The installation failed"}]}}
                """);
            within(() -> scene.message("InstallSucceeding").contains("cluster has hosts in error"));
            assertThat(scene.reason("InstallSucceeding")).isEqualTo("InstallFailed");
            assertThat(scene.is("Available", "False")).isTrue();
            assertThat(scene.message("Ready"))
                    .isEqualTo(scene.message("InstallSucceeding"))
                    .isEqualTo(scene.message("Available"))
                    .contains("kubectl annotate oacp -n " + peers.namespace)
                    .contains("status.debugInfo.logsURL of AgentClusterInstall one")
                    .doesNotContain("\n");
        }
    }

    @Test
    void aRegistryThatIsDown_isReported_othersContinue_andItsReturnIsNoticed(TestCluster cluster) {
        try (ControlPlaneScene scene = ControlPlaneScene.ownWithControlPlane(cluster)) {
            scene.running.registry.faults().down(true);
            ControlPlanePeers known = scene.peers.beside("known");
            ControlPlanePeers unknown = scene.peers.beside("unknown");
            unknown.template();
            unknown.controlPlane("spec: {distributionVersion: 4.19.7}");
            known.template();
            known.controlPlane();

            ControlPlaneScene.untilHostsAreAwaited(known);
            within(() -> ControlPlaneScene.condition(unknown, "ReleaseResolved")
                    .filter(condition -> condition.status().equals(Condition.FALSE))
                    .isPresent());
            assertThat(ControlPlaneScene.message(unknown, "KubernetesVersionAvailable"))
                    .startsWith("failed to get k8s version from release image: ");
            assertThat(ControlPlaneScene.message(unknown, "ReleaseResolved"))
                    .contains("4.19.7")
                    .doesNotContain("YTpi");
            assertThat(unknown.install()).isNull();

            scene.running.registry.faults().down(false);
            ControlPlaneScene.untilHostsAreAwaited(unknown);
            within(() -> ControlPlaneScene.condition(unknown, "ReleaseResolved")
                    .filter(condition -> condition.status().equals(Condition.TRUE))
                    .isPresent());
        }
    }

    @Test
    void aReleaseIsFetchedOnce_inAtMostSixRequests_forAllClusters(TestCluster cluster) {
        try (ControlPlaneScene scene = ControlPlaneScene.ownWithControlPlane(cluster)) {
            int first = scene.running.registry.requests().count();
            assertThat(first).isLessThanOrEqualTo(6);
            ControlPlanePeers second = scene.peers.beside("second");
            second.template();
            second.controlPlane();
            ControlPlaneScene.untilHostsAreAwaited(second);
            assertThat(scene.running.registry.requests().count()).isEqualTo(first);
        }
    }

    @Test
    void theReleaseIsAskedFor_whileTheInfrastructureIsMade(TestCluster cluster) {
        try (ControlPlaneScene scene = ControlPlaneScene.own(cluster)) {
            ControlPlanePeers peers = scene.peers;
            peers.cluster();
            peers.infrastructure(false, List.of());
            peers.onlyControlPlane("spec: {distributionVersion: 4.20.7}");

            within(() -> scene.reason("Ready").equals("WaitingForClusterInfrastructure")
                    && scene.running.registry.requests().count() >= REQUESTS_FOR_A_RELEASE);
            long asked = scene.running.registry.requests().count();
            assertThat(peers.deployment()).isNull();
            assertThat(peers.machines()).isEmpty();

            peers.infrastructure(true, List.of());
            scene.untilHostsAreAwaited();
            assertThat(scene.running.registry.requests().count()).isEqualTo(asked);
        }
    }

    @Test
    void aReleaseThatDoesNotExist_andAVersionThatDoesNotMatch_areSaid(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            shared.registry.faults().absent("4.20.99");
            scene.peers.controlPlane("spec: {distributionVersion: 4.20.99}");
            within(() -> scene.is("ReleaseResolved", "False"));
            assertThat(scene.message("ReleaseResolved")).contains("4.20.99");

            scene.peers.edit("spec: {distributionVersion: 4.20.3, version: v1.32.0}");
            within(() -> scene.reason("ReleaseResolved").equals("VersionMismatch"));
            assertThat(scene.message("ReleaseResolved")).contains("v1.32.0", "v1.33.5");

            scene.peers.edit("spec: {version: v1.33.5}");
            scene.untilHostsAreAwaited();
        }
    }

    @Test
    void workersOfDayOne_areCountedUntilTheInstallationStarts(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.apply("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineDeployment
                metadata: {name: workers, labels: {cluster.x-k8s.io/cluster-name: one}}
                spec:
                  clusterName: one
                  replicas: 2
                  selector: {matchLabels: {a: b}}
                  template:
                    metadata: {labels: {a: b}}
                    spec:
                      clusterName: one
                      bootstrap:
                        configRef:
                          apiGroup: bootstrap.cluster.x-k8s.io
                          kind: OpenshiftAssistedConfigTemplate
                          name: workers
                      infrastructureRef:
                        {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: one-controlplane}
                """);
            within(() -> Map.of("controlPlaneAgents", 3, "workerAgents", 2)
                    .equals(Fields.map(peers.install(), "spec", "provisionRequirements")));

            peers.installState("installing");
            within(() -> scene.reason("InstallSucceeding").equals("Installing"));
            peers.scaleWorkers(4);
            within(() -> scene.message("InstallSucceeding").contains("provisionRequirements"));
            assertThat(Fields.map(peers.install(), "spec", "provisionRequirements"))
                    .containsEntry("workerAgents", 2);
            assertThat(List.of(scene.is("InstallSucceeding", "True"))).containsOnly(true);
        }
    }

    private static String content(Secret kubeconfig) {
        return kubeconfig == null
                ? ""
                : new String(Base64.getDecoder().decode(kubeconfig.getData().get("value")), UTF_8);
    }
}
