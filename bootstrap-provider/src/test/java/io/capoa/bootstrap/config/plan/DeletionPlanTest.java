package io.capoa.bootstrap.config.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.InfraEnv;
import io.capoa.bootstrap.config.observe.ConfigObservations;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In which order what was made for a config goes, and what its condition says meanwhile. */
class DeletionPlanTest {

    private static final InfraEnv INFRA_ENV = ConfigObservations.yaml("""
        metadata: {namespace: ns, name: m1, uid: env-uid}
        spec: {clusterRef: {namespace: ns, name: cp}}
        """, InfraEnv.class);

    private static final String FINALIZER = "finalizers: [agent.agent-install.openshift.io/ai-deprovision]";
    private static final String OWNER =
            "ownerReferences: [{apiVersion: agent-install.openshift.io/v1beta1, kind: InfraEnv, name: m1, uid:"
                    + " env-uid}]";

    @Test
    void withoutAnything_nothingIsWaitedFor() {
        DeletionPlan plan = DeletionPlan.of(List.of(), List.of());

        assertThat(plan).isEqualTo(new DeletionPlan(List.of(), List.of(), plan.waitingFor()));
        assertThat(plan.waitingFor()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {FINALIZER, OWNER})
    void agentsGoBeforeTheirInfraEnv_alsoThoseOfOlderReleasesWithoutOwner(String held) {
        Agent agent = agent("a1", held, "cp");

        DeletionPlan plan = DeletionPlan.of(List.of(INFRA_ENV), List.of(agent));

        assertThat(plan.agents()).containsExactly(agent);
        assertThat(plan.infraEnvs()).isEmpty();
        assertThat(plan.waitingFor())
                .hasValueSatisfying(words -> assertThat(words)
                        .startsWith("assisted-service to release Agent a1")
                        .contains("check that assisted-service runs"));
    }

    @Test
    void anAgentThatIsGoing_isWaitedFor_withWhatTheServiceSaysAboutIt() {
        Agent agent = ConfigObservations.yaml("""
            metadata: {namespace: ns, name: a1, labels: {infraenvs.agent-install.openshift.io: m1}, %s,
              deletionTimestamp: "2026-01-01T00:00:00Z"}
            spec: {clusterDeploymentName: {namespace: ns, name: cp}}
            status: {conditions: [{type: Cleanup, status: "False", reason: CleanupFailed, message: no kubeconfig}]}
            """.formatted(FINALIZER), Agent.class);

        DeletionPlan plan = DeletionPlan.of(List.of(INFRA_ENV), List.of(agent));

        assertThat(plan.infraEnvs()).isEmpty();
        assertThat(plan.waitingFor())
                .hasValueSatisfying(words -> assertThat(words).contains("Agent a1 (no kubeconfig)"));
    }

    @Test
    void withoutHosts_theInfraEnvGoes() {
        DeletionPlan plan = DeletionPlan.of(List.of(INFRA_ENV), List.of());

        assertThat(plan.agents()).isEmpty();
        assertThat(plan.infraEnvs()).containsExactly(INFRA_ENV);
        assertThat(plan.waitingFor())
                .hasValueSatisfying(words -> assertThat(words).startsWith("assisted-service to release InfraEnv m1;"));
    }

    @Test
    void anUnboundHost_goesToo() {
        Agent agent = ConfigObservations.yaml("""
            metadata: {namespace: ns, name: a1, labels: {infraenvs.agent-install.openshift.io: m1}, %s}
            spec: {approved: false}
            """.formatted(FINALIZER), Agent.class);

        assertThat(DeletionPlan.of(List.of(INFRA_ENV), List.of(agent)).agents()).containsExactly(agent);
    }

    @Test
    void aHostThatWasGivenToAnotherCluster_isNotTouched_butNamed() {
        Agent theirs = agent("theirs", FINALIZER, "other");

        DeletionPlan plan = DeletionPlan.of(List.of(INFRA_ENV), List.of(theirs));

        assertThat(plan.agents()).isEmpty();
        assertThat(plan.infraEnvs()).containsExactly(INFRA_ENV);
        assertThat(plan.waitingFor())
                .hasValueSatisfying(words ->
                        assertThat(words).contains("InfraEnv m1", "Agent theirs is bound to ClusterDeployment other"));
    }

    @Test
    void anAgentThatTheServiceDidNotMake_isNotTouched() {
        Agent handMade = agent("hand-made", "annotations: {}", "cp");

        DeletionPlan plan = DeletionPlan.of(List.of(INFRA_ENV), List.of(handMade));

        assertThat(plan.agents()).isEmpty();
        assertThat(plan.infraEnvs()).containsExactly(INFRA_ENV);
    }

    @Test
    void afterTheInfraEnv_onlyAgentsThatGoWithItAreWaitedFor() {
        Agent owned = agent("owned", OWNER, "cp");
        Agent stays = agent("stays", FINALIZER, "cp");

        DeletionPlan plan = DeletionPlan.of(List.of(), List.of(owned, stays));

        assertThat(plan.agents()).isEmpty();
        assertThat(plan.waitingFor())
                .hasValueSatisfying(
                        words -> assertThat(words).contains("Agent owned").doesNotContain("stays"));
    }

    private static Agent agent(String name, String metadata, String cluster) {
        return ConfigObservations.yaml("""
            metadata: {namespace: ns, name: %s, labels: {infraenvs.agent-install.openshift.io: m1}, %s}
            spec: {clusterDeploymentName: {namespace: ns, name: %s}}
            """.formatted(name, metadata, cluster), Agent.class);
    }
}
