package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.workload.health.CloudComponent;
import io.capoa.controlplane.workload.health.CloudControllerState;
import io.capoa.runtime.status.Conditions;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CloudConditionsTest {

    private static final CloudComponent RUNNING = new CloudComponent("Deployment ns/ccm", 2, 2, "");

    @Test
    void withoutAnAnswer_itIsUnknown() {
        assertThat(condition(null))
                .extracting(Condition::status, Condition::reason)
                .containsExactly("Unknown", "CloudControllerManagerUnknown");
        assertThat(condition(new CloudControllerState("connection refused", List.of(), List.of(), 0))
                        .message())
                .isEqualTo("waiting for the API of the cluster (connection refused)");
    }

    @Test
    void afterARestart_theLastConditionStaysUntilTheClusterAnswers() {
        Condition before = condition(new CloudControllerState("", List.of(RUNNING), List.of(), 5));
        Conditions conditions = Conditions.after(List.of(before), 1L, Clock.systemUTC());
        CloudConditions.set(conditions, (CloudControllerState) null);
        assertThat(conditions.toList()).containsExactly(before);
    }

    @Test
    void withEveryPodAvailable_andNoTaint_itIsTrue() {
        assertThat(condition(new CloudControllerState("", List.of(RUNNING), List.of(), 5))
                        .status())
                .isEqualTo("True");
    }

    @Test
    void withoutAComponent_itSaysWhereOneHasToBe() {
        Condition condition = condition(new CloudControllerState("", List.of(), List.of("a"), 1));
        assertThat(condition.reason()).isEqualTo("CloudControllerManagerNotFound");
        assertThat(condition.message())
                .contains("openshift-cloud-controller-manager", "manifestsConfigMapRefs", "1 of 1 Nodes have taint");
    }

    @Test
    void podsThatDoNotRun_areNamedWithTheReason() {
        CloudComponent broken = new CloudComponent("Deployment ns/ccm", 2, 1, "pod ccm-1 cannot start");
        Condition condition = condition(new CloudControllerState("", List.of(RUNNING, broken), List.of(), 3));
        assertThat(condition.reason()).isEqualTo("CloudControllerManagerUnavailable");
        assertThat(condition.message())
                .isEqualTo("Deployment ns/ccm: 1 of 2 pods are available: pod ccm-1 cannot start");
    }

    @Test
    void aDaemonSetWithoutPods_isNotAvailable() {
        CloudComponent none = new CloudComponent("DaemonSet ns/node-manager", 0, 0, "");
        assertThat(condition(new CloudControllerState("", List.of(none), List.of(), 3))
                        .status())
                .isEqualTo("False");
    }

    @Test
    void uninitializedNodes_areCounted_andTheFirstNamed() {
        Condition condition = condition(new CloudControllerState("", List.of(RUNNING), List.of("a", "b", "c", "d"), 5));
        assertThat(condition.reason()).isEqualTo("NodesUninitialized");
        assertThat(condition.message()).startsWith("4 of 5 Nodes have taint").endsWith("a, b, c and 1 more");
    }

    private static Condition condition(@Nullable CloudControllerState state) {
        Conditions conditions = Conditions.after(null, 1L, Clock.systemUTC());
        CloudConditions.set(conditions, state);
        return conditions
                .get(ControlPlaneConditions.CLOUD_CONTROLLER_MANAGER_READY)
                .orElseThrow();
    }
}
