package io.capoa.lab.controlplane;

import static io.capoa.lab.controlplane.Scene.within;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Fields;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Status of the control plane during the installation, and with an unavailable registry. */
@ExtendWith(SharedCluster.class)
class InstallProgressTest {

    @Test
    void theKubeconfig_followsItsSource_andIsMadeAgain(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster, "spec: {config: {clusterName: prod}}")) {
            Neighbours neighbours = scene.neighbours;
            neighbours.installState("installing");
            within(() -> scene.reason("InstallSucceeding").equals("Installing"));
            assertThat(scene.reason("KubeconfigAvailable")).isEqualTo("KubeconfigUnavailable");
            assertThat(scene.status().initialization()).isNull();

            neighbours.nameKubeconfig();
            within(() -> scene.message("KubeconfigAvailable").contains("Secret one-admin-kubeconfig"));
            assertThat(neighbours.kubeconfig()).isNull();
            assertThat(scene.status().initialization()).isNull();

            neighbours.publishKubeconfig("without ingress");
            within(() -> scene.isTrue("KubeconfigAvailable"));
            Secret made = neighbours.kubeconfig();
            assertThat(made.getType()).isEqualTo("cluster.x-k8s.io/secret");
            assertThat(made.getMetadata().getLabels()).containsEntry("cluster.x-k8s.io/cluster-name", "one");
            assertThat(made.getMetadata().getOwnerReferences())
                    .extracting("kind", "controller")
                    .containsExactly(org.assertj.core.api.Assertions.tuple("OpenshiftAssistedControlPlane", true));
            assertThat(content(made)).isEqualTo("without ingress");

            neighbours.publishKubeconfig("with ingress");
            within(() -> content(neighbours.kubeconfig()).equals("with ingress"));
            neighbours.client.resource(neighbours.kubeconfig()).delete();
            within(() -> neighbours.kubeconfig() != null
                    && !made.getMetadata()
                            .getUid()
                            .equals(neighbours.kubeconfig().getMetadata().getUid()));
            assertThat(content(neighbours.kubeconfig())).isEqualTo("with ingress");
        }
    }

    @Test
    void onceAvailable_itStaysSo_throughTheLastStates(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            Neighbours neighbours = scene.neighbours;
            neighbours.installState("installing");
            neighbours.publishKubeconfig("any");
            neighbours.installState("finalizing");
            within(() -> scene.isTrue("Available"));
            Condition available = Scene.condition(neighbours, "Available").orElseThrow();
            assertThat(scene.status().initialization().controlPlaneInitialized())
                    .isTrue();

            neighbours.installState("installed");
            neighbours.complete();
            neighbours.installState("adding-hosts");
            within(() -> scene.reason("InstallSucceeding").equals("InstallCompleted"));
            assertThat(Scene.condition(neighbours, "Available").orElseThrow().lastTransitionTime())
                    .isEqualTo(available.lastTransitionTime());
            assertThat(scene.isTrue("Available")).isTrue();
        }
    }

    @Test
    void anApiServerThatResponds_isNoticedBeforeTheServiceReportsIt(TestCluster cluster) throws IOException {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            Neighbours neighbours = scene.neighbours;
            String answering = Files.readString(cluster.adminKubeconfig());
            neighbours.installState("installing");
            neighbours.publishKubeconfig(
                    answering.replaceAll("server: *\"?https://[^\"\\s]+\"?", "server: https://127.0.0.1:1"));
            within(() -> scene.isTrue("KubeconfigAvailable"));
            assertThat(scene.status().initialization()).isNull();
            assertThat(scene.is("Available", "False")).isTrue();

            neighbours.publishKubeconfig(answering);
            within(() -> scene.isTrue("Initialized"));
            assertThat(scene.isTrue("Available")).isTrue();
            assertThat(scene.reason("InstallSucceeding")).isEqualTo("Installing");
        }
    }

    @Test
    void aKubeconfigOfTheUser_isNotChanged(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            Neighbours neighbours = scene.neighbours;
            neighbours.apply("""
                    apiVersion: v1
                    kind: Secret
                    metadata: {name: one-kubeconfig, labels: {cluster.x-k8s.io/cluster-name: one}}
                    type: Opaque
                    stringData: {value: mine}
                    """);
            neighbours.installState("finalizing");
            neighbours.publishKubeconfig("theirs");
            within(() -> scene.reason("KubeconfigAvailable").equals("KubeconfigUserProvided"));
            assertThat(content(neighbours.kubeconfig())).isEqualTo("mine");
            assertThat(scene.message("KubeconfigAvailable")).contains("Secret one-kubeconfig");
        }
    }

    @Test
    void editsDuringTheInstallation_areHeldBackAndShown(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            Neighbours neighbours = scene.neighbours;
            neighbours.installState("installing");
            within(() -> scene.reason("InstallSucceeding").equals("Installing"));
            long generation = neighbours.install().getMetadata().getGeneration();

            neighbours.edit("spec: {replicas: 5, config: {sshAuthorizedKey: ssh-ed25519 BBBB}}");

            within(() -> scene.message("InstallSucceeding").contains("provisionRequirements")
                    && scene.message("InstallSucceeding").contains("sshPublicKey"));
            assertThat(Fields.map(neighbours.install(), "spec", "provisionRequirements"))
                    .containsEntry("controlPlaneAgents", 3);
            assertThat(neighbours.install().getMetadata().getGeneration()).isEqualTo(generation);
            within(() -> scene.message("ScalingUp").contains("the installation is running"));
            assertThat(neighbours.machines()).hasSize(3);
        }
    }

    @Test
    void aFailedInstallation_isReportedWithTheServicesMessage(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            Neighbours neighbours = scene.neighbours;
            neighbours.installState("installing");
            neighbours.status(neighbours.install(), """
                    {"status":{"debugInfo":{"state":"error","stateInfo":"cluster has hosts in error"},
                     "conditions":[{"type":"Failed","status":"True","reason":"InstallationFailed",
                      "message":"The installation failed: cluster has hosts in error"},
                      {"type":"Stopped","status":"True","reason":"InstallationFailed","message":"The installation has stopped"},
                      {"type":"Completed","status":"False","reason":"InstallationFailed","message":"The installation failed"}]}}
                    """);
            within(() -> scene.message("InstallSucceeding").contains("cluster has hosts in error"));
            assertThat(scene.reason("InstallSucceeding")).isEqualTo("InstallFailed");
            assertThat(scene.is("Available", "False")).isTrue();
            assertThat(scene.message("Ready")).contains("cluster has hosts in error");
        }
    }

    @Test
    void whatTheServiceRejects_isReported(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            scene.neighbours.status(scene.neighbours.install(), """
                    {"status":{"conditions":[{"type":"SpecSynced","status":"False","reason":"InputError",
                      "message":"apiVIP 192.0.2.10 is already in use"}]}}
                    """);
            within(() -> scene.reason("InstallSucceeding").equals("InstallSpecRejected"));
            assertThat(scene.message("InstallSucceeding")).contains("192.0.2.10 is already in use");
            assertThat(scene.reason("Available")).isEqualTo("InstallSpecRejected");
            assertThat(scene.message("Available")).contains("AgentClusterInstall one", "192.0.2.10 is already in use");
        }
    }

    @Test
    void aRegistryThatIsDown_isReported_othersContinue_andItsReturnIsNoticed(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            scene.running.registry.faults().down(true);
            Neighbours known = scene.neighbours.beside("known");
            Neighbours unknown = scene.neighbours.beside("unknown");
            unknown.template();
            unknown.controlPlane("spec: {distributionVersion: 4.19.7}");
            known.template();
            known.controlPlane();

            Scene.untilHostsAreAwaited(known);
            within(() -> Scene.condition(unknown, "ReleaseResolved")
                    .filter(condition -> condition.status().equals(Condition.FALSE))
                    .isPresent());
            assertThat(Scene.message(unknown, "KubernetesVersionAvailable"))
                    .startsWith("failed to get k8s version from release image: ");
            assertThat(Scene.message(unknown, "ReleaseResolved"))
                    .contains("4.19.7")
                    .doesNotContain("YTpi");
            assertThat(unknown.install()).isNull();

            scene.running.registry.faults().down(false);
            Scene.untilHostsAreAwaited(unknown);
            within(() -> Scene.condition(unknown, "ReleaseResolved")
                    .filter(condition -> condition.status().equals(Condition.TRUE))
                    .isPresent());
        }
    }

    @Test
    void aReleaseIsFetchedOnce_inAtMostSixRequests_forAllClusters(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            int first = scene.running.registry.requests().count();
            assertThat(first).isLessThanOrEqualTo(6);
            Neighbours second = scene.neighbours.beside("second");
            second.template();
            second.controlPlane();
            Scene.untilHostsAreAwaited(second);
            assertThat(scene.running.registry.requests().count()).isEqualTo(first);
        }
    }

    @Test
    void theReleaseIsAskedFor_whileTheInfrastructureIsMade(TestCluster cluster) {
        try (Scene scene = Scene.of(cluster)) {
            Neighbours neighbours = scene.neighbours;
            neighbours.cluster();
            neighbours.infrastructure(false, List.of());
            neighbours.onlyControlPlane("spec: {distributionVersion: 4.20.7}");

            within(() -> scene.reason("Ready").equals("WaitingForClusterInfrastructure"));
            long asked = scene.running.registry.requests().count();
            assertThat(asked).isPositive();
            assertThat(neighbours.deployment()).isNull();
            assertThat(neighbours.machines()).isEmpty();

            neighbours.infrastructure(true, List.of());
            scene.untilHostsAreAwaited();
            assertThat(scene.running.registry.requests().count()).isEqualTo(asked);
        }
    }

    @Test
    void aReleaseThatDoesNotExist_andAVersionThatDoesNotMatch_areSaid(TestCluster cluster) {
        try (Scene scene = Scene.of(cluster)) {
            scene.running.registry.faults().absent("4.20.99");
            scene.neighbours.controlPlane("spec: {distributionVersion: 4.20.99}");
            within(() -> scene.is("ReleaseResolved", "False"));
            assertThat(scene.message("ReleaseResolved")).contains("4.20.99");

            scene.neighbours.edit("spec: {distributionVersion: 4.20.3, version: v1.32.0}");
            within(() -> scene.reason("ReleaseResolved").equals("VersionMismatch"));
            assertThat(scene.message("ReleaseResolved")).contains("v1.32.0", "v1.33.5");

            scene.neighbours.edit("spec: {version: v1.33.5}");
            scene.untilHostsAreAwaited();
        }
    }

    @Test
    void workersOfDayOne_areCountedUntilTheInstallationStarts(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            Neighbours neighbours = scene.neighbours;
            neighbours.apply("""
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
                    .equals(Fields.map(neighbours.install(), "spec", "provisionRequirements")));

            neighbours.installState("installing");
            within(() -> scene.reason("InstallSucceeding").equals("Installing"));
            neighbours.scaleWorkers(4);
            within(() -> scene.message("InstallSucceeding").contains("provisionRequirements"));
            assertThat(Fields.map(neighbours.install(), "spec", "provisionRequirements"))
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
