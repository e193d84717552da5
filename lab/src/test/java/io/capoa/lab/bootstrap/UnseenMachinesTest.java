package io.capoa.lab.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Machines cannot be listed, as while their conversion webhook is down: what is not seen is not gone. On an API server of
 * its own, for it takes rights away from the provider.
 */
@Isolated("two API servers at once are too much for a small machine")
class UnseenMachinesTest {

    private static final String ROLE = "capoa-bootstrap-manager-role";

    @Test
    void aControlPlanesConfigThatIsDeletedMeanwhile_keepsItsHostInTheCluster() {
        try (TestCluster cluster = LocalCluster.builder().start();
                Scene scene = new Scene(prepared(cluster), "unseen")) {
            BootstrapProcess first = start(scene);
            scene.ready().controlPlaneMachine("m1", "{}").withData("m1");
            first.kill();
            machines(
                    cluster,
                    resources -> resources.stream()
                            .filter(resource -> !resource.equals("machines"))
                            .toList());

            BootstrapProcess blind = start(scene);
            scene.delete(OpenshiftAssistedConfig.class, "m1-config");
            Scene.soon("the Machine looked up")
                    .until(() -> scene.provider.all().stream()
                            .anyMatch(request -> request.resource().equals("machines")
                                    && request.verb().equals("get")
                                    && request.code() == 403));
            blind.kill();
            assertThat(scene.require(InfraEnv.class, "m1").getMetadata().getDeletionTimestamp())
                    .isNull();

            machines(
                    cluster,
                    resources -> Stream.concat(resources.stream(), Stream.of("machines"))
                            .toList());
            try (BootstrapProcess seeing = start(scene)) {
                scene.awaitCondition("m1", "Ready", "False/Deleting");
                assertThat(scene.message("m1", "Ready")).contains("control plane Machine m1");
                scene.delete(Machine.class, "m1");
                scene.awaitGone(OpenshiftAssistedConfig.class, "m1-config");
                assertThat(seeing.figures().cpuSeconds()).isPositive();
            }
        }
    }

    private static TestCluster prepared(TestCluster cluster) {
        ManagementCluster.on(cluster).prepare();
        return cluster;
    }

    /** Changes the resources of the rule by which the provider sees Clusters. */
    private static void machines(TestCluster cluster, UnaryOperator<List<String>> change) {
        ClusterRole unused = cluster.admin()
                .rbac()
                .clusterRoles()
                .withName(ROLE)
                .edit(role -> {
                    role.getRules().stream()
                            .filter(rule -> rule.getResources().contains("clusters"))
                            .forEach(rule ->
                                    rule.setResources(change.apply(Objects.requireNonNull(rule.getResources()))));
                    return role;
                });
    }

    private static BootstrapProcess start(Scene scene) {
        return BootstrapProcess.start(
                scene.cluster, "--namespace=" + scene.namespace, "--watch-filter=" + scene.watchFilter());
    }
}
