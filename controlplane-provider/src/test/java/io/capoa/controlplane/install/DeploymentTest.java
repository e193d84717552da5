package io.capoa.controlplane.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Labels;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Fields;
import io.capoa.controlplane.testing.Objects;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The ClusterDeployment of a control plane. */
class DeploymentTest {

    @Test
    void namesTheClusterAndItsAgentClusterInstall() {
        ClusterDeployment deployment = Deployment.desired(Objects.identity(), null, "pull", null);
        assertThat(Fields.map(deployment, "spec"))
                .isEqualTo(Map.of(
                        "clusterName",
                        "one",
                        "baseDomain",
                        "lab.example",
                        "platform",
                        Map.of("agentBareMetal", Map.of("agentSelector", Map.of())),
                        "pullSecretRef",
                        Map.of("name", "pull"),
                        "clusterInstallRef",
                        Map.of(
                                "group",
                                "extensions.hive.openshift.io",
                                "version",
                                "v1beta1",
                                "kind",
                                "AgentClusterInstall",
                                "name",
                                "cp")));
    }

    /** The bootstrap provider looks for the Cluster's own name. */
    @Test
    void anotherNameOfTheOpenshiftCluster_doesNotReachTheLabel() {
        ClusterDeployment deployment =
                Deployment.desired(Objects.identity("{}", "clusterName: prod"), null, "pull", null);
        assertThat(Fields.string(deployment, "spec", "clusterName")).isEqualTo("prod");
        assertThat(deployment.getMetadata().getLabels()).containsEntry(Labels.CLUSTER_NAME, "one");
    }

    @Test
    void onceItExists_nameAndDomainStay_andAWrongReferenceIsCorrected() {
        ClusterDeployment existing = Objects.read(ClusterDeployment.class, """
                metadata: {name: cp}
                spec: {clusterName: first, baseDomain: first.example, clusterInstallRef: {kind: Other, name: x}}
                """);
        ClusterDeployment deployment =
                Deployment.desired(Objects.identity("{}", "clusterName: prod"), existing, "pull", null);
        assertThat(Fields.string(deployment, "spec", "clusterName")).isEqualTo("first");
        assertThat(Fields.string(deployment, "spec", "baseDomain")).isEqualTo("first.example");
        assertThat(Fields.string(deployment, "spec", "clusterInstallRef", "kind"))
                .isEqualTo("AgentClusterInstall");
    }

    @Test
    void withoutAPullSecret_thePlaceholderIsUsed() {
        assertThat(InstallPullSecret.name(Objects.identity())).isEqualTo("placeholder-pull-secret");
        assertThat(InstallPullSecret.placeholder("ns").getMetadata().getOwnerReferences())
                .as("it serves every cluster of the namespace")
                .isNullOrEmpty();
        assertThat(InstallPullSecret.name(Objects.identity("{}", "pullSecretRef: {name: mine}")))
                .isEqualTo("mine");
    }
}
