package io.capoa.controlplane.status;

import static io.capoa.controlplane.workload.health.ControlPlaneHealths.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.controlplane.workload.client.ClusterCertificates;
import io.capoa.controlplane.workload.client.Observed;
import io.capoa.controlplane.workload.health.ControlPlaneHealth;
import io.capoa.controlplane.workload.health.HealthJudgement;
import io.capoa.controlplane.workload.health.NodeHealth;
import io.capoa.controlplane.workload.health.OperatorHealth;
import io.capoa.runtime.status.Conditions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Conditions of a health snapshot. */
class HealthConditionsTest {

    private static final Instant LOST = Instant.parse("2026-01-01T00:00:00Z");
    private static final String ETCD = "EtcdClusterHealthy";
    private static final String CERTIFICATES = "CertificatesUpToDate";
    private static final String COMPONENTS = "ControlPlaneComponentsHealthy";

    private List<Condition> status = List.of();

    @Test
    void beforeTheInstallationIsComplete_bothAreUnknown() {
        report(false, HealthJudgement.NONE);
        assertThat(of(ETCD)).isEqualTo("Unknown HealthUnknown the control plane is not installed yet");
        assertThat(of(COMPONENTS)).isEqualTo("Unknown HealthUnknown the control plane is not installed yet");
        report(true, HealthJudgement.NONE);
        assertThat(of(ETCD)).isEqualTo("Unknown HealthUnknown waiting for the first answer of the cluster");
    }

    @Test
    void aHealthyCluster_isHealthy_andTheSameSnapshotWritesNothing() {
        report(true, seen(healthy(), 0));
        assertThat(of(ETCD)).isEqualTo("True Healthy ");
        assertThat(of(COMPONENTS)).isEqualTo("True Healthy ");
        assertThat(of("Available")).isEqualTo("True Available ");
        List<Condition> before = status;
        report(true, seen(healthy(), 60));
        assertThat(status).isEqualTo(before);
    }

    @Test
    void whatAnEarlierProcessReported_staysWhileOnlyTheApiServerIsKnown() {
        report(true, seen(with(members(true, false, true)), 0));
        List<Condition> before = status;
        report(true, seen(ControlPlaneHealth.SERVING, 60));
        assertThat(status).isEqualTo(before);
    }

    @Test
    void anApiServerThatServesAgain_isAvailable_whateverElseIsUnknown() {
        report(true, lost(noConnection(), 60));
        assertThat(of("Available")).startsWith("False");
        report(true, seen(ControlPlaneHealth.SERVING, 90));
        assertThat(of("Available")).startsWith("True");
    }

    @Test
    void aBrokenMember_isNamedWithTheRemedy() {
        report(true, seen(with(members(true, false, true)), 0));
        assertThat(of(ETCD))
                .isEqualTo(
                        "False NotHealthy * etcd member n-1 does not answer: repair its host, or delete its Machine to have it replaced");
        assertThat(of(COMPONENTS)).isEqualTo("True Healthy ");
        assertThat(of("Available")).startsWith("True");
    }

    @Test
    void aNodeWithoutMember_isNamed_andALearnerIsNotBroken() {
        report(true, seen(with(members(true, true)), 0));
        assertThat(of(ETCD)).startsWith("False NotHealthy * Node n-2 has no etcd member: wait");
        report(
                true,
                seen(
                        with(members(
                                member("n-0", false, true), member("n-1", false, true), member("n-2", true, false))),
                        1));
        assertThat(of(ETCD)).isEqualTo("True Healthy ");
    }

    @Test
    void membersThatCannotBeListed_areUnknown_withTheReason() {
        report(true, seen(with(unlisted("etcdctl could not be run in pod etcd-n-0", true)), 0));
        assertThat(of(ETCD))
                .isEqualTo(
                        "Unknown InspectionFailed the members of etcd cannot be listed: etcdctl could not be run in pod etcd-n-0; it is tried again");
    }

    @Test
    void nodesAndOperators_areNamedWithWhatIsWrong() {
        report(true, seen(withNodes(new NodeHealth("n-1", false, "Kubelet stopped posting node status.")), 0));
        assertThat(of(COMPONENTS))
                .isEqualTo(
                        "False NotHealthy * Node n-1 is not Ready (Kubelet stopped posting node status.): check its host");
        report(true, seen(withOperator(new OperatorHealth("kube-apiserver", true, true, "a pod crashes")), 1));
        assertThat(of(COMPONENTS))
                .isEqualTo(
                        "False NotHealthy * ClusterOperator kube-apiserver is degraded (a pod crashes): look at its conditions and at the pods of its namespace");
        report(true, seen(withOperator(new OperatorHealth("etcd", false, false, "")), 2));
        assertThat(of(COMPONENTS)).startsWith("False NotHealthy * ClusterOperator etcd is not available:");
        assertThat(of("Available")).startsWith("True");
    }

    @Test
    void anOutage_isNotShownForTenSeconds_andMakesUnavailableAfterAMinute() {
        report(true, seen(healthy(), 0));
        List<Condition> before = status;
        report(true, lost(noConnection(), 9));
        assertThat(status).isEqualTo(before);

        report(true, lost(noConnection(), 10));
        assertThat(of(ETCD)).startsWith("Unknown ConnectionDown the API server of the cluster does not take requests");
        assertThat(of(COMPONENTS)).startsWith("Unknown ConnectionDown").contains("(no connection)");
        assertThat(of("Available")).isEqualTo("True Available ");

        report(true, lost(noConnection(), 60));
        assertThat(of("Available"))
                .startsWith("False APIServerUnreachable")
                .contains("(no connection): check the control plane hosts");
        before = status;
        report(true, lost(unready("it answered 503"), 70));
        assertThat(status).as("the first message stays").isEqualTo(before);

        report(true, seen(healthy(), 80));
        assertThat(of("Available")).isEqualTo("True Available ");
        assertThat(of(ETCD)).isEqualTo("True Healthy ");
    }

    @Test
    void etcdWithoutMajority_isAReasonOfItsOwn() {
        report(true, seen(healthy(), 0));
        report(true, lost(with(members(true, false, false)), 60));
        assertThat(of(ETCD))
                .startsWith("False NotHealthy etcd of the cluster has no majority")
                .endsWith("n-1, n-2");
        assertThat(of("Available")).startsWith("False EtcdMajorityLost").contains("repair the control plane hosts");
        report(true, lost(etcdFailed(), 70));
        assertThat(of("Available")).startsWith("False EtcdMajorityLost");
    }

    @Test
    void aRefusedKubeconfig_isAReasonOfItsOwn_thatNamesTheSecret() {
        report(true, seen(healthy(), 0));
        report(true, lost(refused("it refuses the kubeconfig (401)"), 10));
        assertThat(of(ETCD)).startsWith("Unknown KubeconfigRefused");
        assertThat(of(COMPONENTS))
                .isEqualTo(
                        "Unknown KubeconfigRefused the kubeconfig does not work any more (it refuses the kubeconfig (401)): write a new one to Secret admin (key kubeconfig)");
        report(true, lost(refused("it refuses the kubeconfig (401)"), 60));
        assertThat(of("Available"))
                .startsWith("False KubeconfigRefused")
                .endsWith("write a new one to Secret admin (key kubeconfig)");
        report(true, seen(healthy(), 70));
        assertThat(of("Available")).isEqualTo("True Available ");
    }

    /** The new process has not seen the outage; it must not report the cluster as available in between. */
    @Test
    void afterARestart_anOutageStaysReported_untilTheClusterAnswers() {
        report(true, seen(healthy(), 0));
        report(true, lost(noConnection(), 60));
        List<Condition> before = status;
        report(true, HealthJudgement.NONE);
        assertThat(status).isEqualTo(before);
        report(true, lost(noConnection(), 0));
        assertThat(of("Available")).startsWith("False APIServerUnreachable");
        report(true, seen(healthy(), 1));
        assertThat(of("Available")).startsWith("True");
    }

    @Test
    void afterARestart_ofAnAvailableOne_nothingChangesUntilItIsKnown() {
        report(true, seen(healthy(), 0));
        List<Condition> before = status;
        report(true, HealthJudgement.NONE);
        assertThat(status).isEqualTo(before);
    }

    private static HealthJudgement seen(ControlPlaneHealth health, int seconds) {
        return judgement(health, seconds, null);
    }

    private static HealthJudgement lost(ControlPlaneHealth health, int seconds) {
        return judgement(health, seconds, LOST);
    }

    private static HealthJudgement judgement(ControlPlaneHealth health, int seconds, @Nullable Instant since) {
        return new HealthJudgement(new Observed<>(health, LOST.plusSeconds(seconds)), since);
    }

    /** As a reconcile of an installed control plane, whose status is kept. */
    @Test
    void certificates_areUpToDate_untilOneIsDue_andTheMessageHasNoCountdown() {
        report(true, seen(healthy(), 0));
        assertThat(status).extracting(Condition::type).doesNotContain(CERTIFICATES);
        report(true, seen(healthy().with(new ClusterCertificates(true, null, null)), 60));
        assertThat(of(CERTIFICATES)).isEqualTo("True CertificatesUpToDate ");

        Instant end = Instant.parse("2026-01-30T00:00:00Z");
        report(true, seen(healthy().with(new ClusterCertificates(true, end, null)), 120));
        assertThat(of(CERTIFICATES))
                .isEqualTo(
                        "False CertificateExpiring * the client certificate of the kubeconfig is valid until 2026-01-30T00:00:00Z:"
                                + " write a new kubeconfig to Secret admin (key kubeconfig)");
        List<Condition> before = status;
        report(true, seen(healthy().with(new ClusterCertificates(true, end, null)), 86_400));
        assertThat(status).isEqualTo(before);
        report(true, seen(noConnection(), 86_401));
        assertThat(of(CERTIFICATES)).as("after a restart").startsWith("False CertificateExpiring");

        report(true, seen(healthy().with(new ClusterCertificates(true, null, end)), 90_000));
        assertThat(of(CERTIFICATES))
                .startsWith("False CertificateExpiring * a certificate that the API server")
                .contains("valid until 2026-01-30T00:00:00Z", "ClusterOperator kube-apiserver")
                .doesNotContain("Secret");
        assertThat(of("Available")).startsWith("True");
        report(true, seen(healthy().with(new ClusterCertificates(true, null, null)), 90_060));
        assertThat(of(CERTIFICATES)).startsWith("True");
    }

    private void report(boolean installed, HealthJudgement health) {
        Conditions conditions = Conditions.after(status, 1L, Clock.fixed(LOST, ZoneOffset.UTC));
        conditions.isTrue("Available", "Available", "");
        HealthConditions.set(conditions, installed, health, "Secret admin (key kubeconfig)");
        status = new ArrayList<>(conditions.toList());
    }

    private String of(String type) {
        Condition condition = status.stream()
                .filter(known -> known.type().equals(type))
                .findFirst()
                .orElseThrow();
        return condition.status() + " " + condition.reason() + " " + condition.message();
    }
}
