package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.lab.cluster.PreparedClusters;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Machines cannot be listed, for example while their conversion webhook is down, and must not be considered deleted. On
 * a separate API server, because it revokes rights of the provider.
 */
@Tag("full")
@Isolated("two API servers at once are too much for a small machine")
class UnseenMachinesTest {

    private static final String AGGREGATED = "capoa-bootstrap-manager-role";
    private static final String ROLE = "capoa-bootstrap-base-role";

    @Test
    void aControlPlanesConfigThatIsDeletedMeanwhile_keepsItsHostInTheCluster() {
        try (TestCluster cluster = PreparedClusters.start();
                ConfigScene scene = new ConfigScene(cluster, "unseen")) {
            BootstrapProcess first = start(scene);
            scene.ready().controlPlaneMachine("m1", "{}").withData("m1");
            first.kill();
            List<PolicyRule> rights = role(cluster, ROLE).require().getRules();
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
        }
    }

    private static Resource<ClusterRole> role(TestCluster cluster, String name) {
        return cluster.admin().rbac().clusterRoles().withName(name);
    }

    /** Returns when the rules are in the role that is bound. */
    private static void grant(TestCluster cluster, List<PolicyRule> rules) {
        ClusterRole unused = role(cluster, ROLE).edit(role -> {
            role.setRules(rules);
            return role;
        });
        ConfigScene.soon("the rules aggregated")
                .until(() -> ofMachines(role(cluster, AGGREGATED).require().getRules()) == ofMachines(rules));
    }

    private static boolean ofMachines(List<PolicyRule> rules) {
        return rules.stream().anyMatch(rule -> rule.getResources().contains("machines"));
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
