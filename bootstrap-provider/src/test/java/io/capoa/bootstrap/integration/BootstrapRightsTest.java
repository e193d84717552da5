package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LimitedUser;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A missing right is reported as a condition of the config with verb, resource and remedy; it continues once granted.
 */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(BootstrapProcess.SECOND_LANE)
class BootstrapRightsTest {

    private static final String ASSISTED = "agent-install.openshift.io";

    private LimitedUser user;
    private ConfigScene scene;

    @BeforeEach
    void prepare(TestCluster cluster) {
        user = new LimitedUser(cluster, "capoa-bootstrap-manager-role");
        scene = new ConfigScene(cluster, "limited");
    }

    @AfterEach
    void close() {
        scene.close();
        user.close();
    }

    @Test
    void anAgentThatMayNotBeDeleted_isReportedWhileTheConfigIsBeingDeleted() {
        try (BootstrapProcess provider = start()) {
            scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");
            user.mayNot("delete", ASSISTED, "agents");

            scene.delete(OpenshiftAssistedConfig.class, "m1-config");
            scene.awaitCondition("m1", "Ready", "False/Forbidden");
            assertThat(scene.message("m1", "Ready"))
                    .contains("agents", "agent-1", "grant verb delete on resource agents", ASSISTED, scene.namespace);

            user.mayAll();
            scene.awaitGone(OpenshiftAssistedConfig.class, "m1-config");
            assertThat(provider.figures().cpuSeconds()).isPositive();
        }
    }

    @Test
    void anInfraEnvThatMayNotBeCreated_isReportedWithTheRemedy() {
        user.mayNot("patch", ASSISTED, "infraenvs");
        try (BootstrapProcess provider = start()) {
            scene.ready().machine("m1", "{}");
            scene.awaitCondition("m1", "InfraEnvReady", "False/InfraEnvFailed");
            assertThat(scene.message("m1", "InfraEnvReady"))
                    .contains("InfraEnv m1 could not be written", "grant verb patch on resource infraenvs");

            user.mayAll();
            scene.awaitInfraEnv("m1");
            assertThat(provider.figures().cpuSeconds()).isPositive();
        }
    }

    @Test
    void agentsThatMayNotBeListed_areSaid_andSeenOnceTheyMay() {
        user.mayNot("list", ASSISTED, "agents");
        try (BootstrapProcess provider = start()) {
            scene.ready().machine("m1", "{}");
            scene.awaitCondition("m1", "Ready", "False/Forbidden");
            assertThat(scene.message("m1", "Ready"))
                    .contains("may not list resource agents", ASSISTED, scene.namespace, "grant verbs list and watch");

            user.mayAll();
            scene.awaitInfraEnv("m1");
            assertThat(provider.figures().cpuSeconds()).isPositive();
        }
    }

    private BootstrapProcess start() {
        return BootstrapProcess.startAs(
                KnownUsers.LIMITED,
                scene.cluster,
                "--namespace=" + scene.namespace,
                "--watch-filter=" + scene.watchFilter());
    }
}
