package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.lab.cluster.ExistingCluster;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Machines cannot be listed, for example while their conversion webhook is down, and must not be considered deleted. The
 * provider runs as a user of its own, whose rights are revoked.
 */
@Tag("full")
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(BootstrapProcess.FIRST_LANE)
class UnseenMachinesTest {

    private static final String SHIPPED = "capoa-bootstrap-manager-role";
    private static final String ROLE = "unseen-machines";

    @Test
    void aControlPlanesConfigThatIsDeletedMeanwhile_keepsItsHostInTheCluster(TestCluster shared) {
        try (TestCluster cluster = ExistingCluster.of(shared.adminKubeconfig(), shared.auditLog());
                ConfigScene scene = new ConfigScene(cluster, "unseen")) {
            List<PolicyRule> rights = role(cluster, SHIPPED).require().getRules();
            bind(cluster);
            grant(cluster, rights);
            BootstrapProcess first = start(scene);
            scene.ready().controlPlaneMachine("m1", "{}").withData("m1");
            first.kill();
            grant(cluster, withoutMachines(rights));

            BootstrapProcess blind = start(scene);
            scene.delete(OpenshiftAssistedConfig.class, "m1-config");
            ConfigScene.soon("the Machine looked up")
                    .until(() -> scene.provider.all().stream()
                            .anyMatch(request -> request.resource().equals("machines")
                                    && request.verb().equals("get")
                                    && request.code() == 403));
            blind.kill();
            assertThat(scene.require(InfraEnv.class, "m1").getMetadata().getDeletionTimestamp())
                    .isNull();

            grant(cluster, rights);
            try (BootstrapProcess seeing = start(scene)) {
                scene.awaitCondition("m1", "Ready", "False/Deleting");
                assertThat(scene.message("m1", "Ready")).contains("control plane Machine m1");
                scene.delete(Machine.class, "m1");
                scene.awaitGone(OpenshiftAssistedConfig.class, "m1-config");
                assertThat(seeing.figures().cpuSeconds()).isPositive();
            }
        } finally {
            shared.admin().rbac().clusterRoleBindings().withName(ROLE).delete();
            role(shared, ROLE).delete();
        }
    }

    private static Resource<ClusterRole> role(TestCluster cluster, String name) {
        return cluster.admin().rbac().clusterRoles().withName(name);
    }

    private static void bind(TestCluster cluster) {
        var unused = cluster.admin()
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(ROLE)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", ROLE)
                        .withSubjects(cluster.subject(KnownUsers.BOOTSTRAP_PROVIDER))
                        .build())
                .serverSideApply();
    }

    private static void grant(TestCluster cluster, List<PolicyRule> rules) {
        var unused = cluster.admin()
                .resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(ROLE)
                        .endMetadata()
                        .withRules(rules)
                        .build())
                .forceConflicts()
                .serverSideApply();
    }

    /** The API server rejects a rule without resources. */
    private static List<PolicyRule> withoutMachines(List<PolicyRule> rules) {
        return rules.stream()
                .map(rule -> new PolicyRuleBuilder(rule)
                        .removeFromResources("machines")
                        .build())
                .filter(rule -> !rule.getResources().isEmpty())
                .toList();
    }

    private static BootstrapProcess start(ConfigScene scene) {
        return BootstrapProcess.start(
                scene.cluster, "--namespace=" + scene.namespace, "--watch-filter=" + scene.watchFilter());
    }
}
