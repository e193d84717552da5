package io.capoa.controlplane.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.Floor;
import io.capoa.controlplane.operation.OperationScene.Host;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consent to one replacement, by an annotation of the unhealthy Machine, until the replacement has joined. */
class QuorumGuardConsentTest {

    private static final String RECORD =
            "{\"machine\":\"m-0\",\"timestamp\":\"2026-01-01T12:00:00Z\",\"retryCount\":0%s}";

    private final OperationScene scene = new OperationScene(3);
    private final Host dead = scene.host(0);

    @Test
    void itIsAskedFor_withWhatIsRisked() {
        kill();
        assertThat(refusal())
                .contains(
                        "by annotation controlplane.cluster.x-k8s.io/override-etcd-quorum-guard on the Machine",
                        "spec.remediation.overrideEtcdQuorumGuard for all of them",
                        "one more failure costs the cluster its majority");
    }

    @Test
    void theAnnotatedMachine_isReplaced_andTheRecordKeepsIt() {
        kill();
        scene.host(1).annotations.put(Annotations.OVERRIDE_QUORUM_GUARD, "");
        assertThat(refusal()).as("another Machine's annotation").isNotEmpty();
        dead.annotations.put(Annotations.OVERRIDE_QUORUM_GUARD, "");
        assertThat(scene.next().action()).isEqualTo(new Action.Delete(OperationScene.machine(dead)));
        assertThat(record().overridesGuard()).isTrue();
        assertThat(scene.situation().mayOverrideGuard(scene.etcd()))
                .as("before the deletion")
                .isFalse();
    }

    @Test
    void theAnnotationOfAMachineThatTheControlPlaneDoesNotControl_isNone() {
        kill();
        dead.annotations.put(Annotations.OVERRIDE_QUORUM_GUARD, "");
        dead.owner = "another";
        assertThat(refusal()).contains("overrideEtcdQuorumGuard");
    }

    @Test
    void whereMembersEnoughAreLeft_nothingIsKept() {
        scene.add();
        kill();
        dead.annotations.put(Annotations.OVERRIDE_QUORUM_GUARD, "");
        assertThat(record().overridesGuard()).isFalse();
    }

    @Test
    void ofASurplusMachine_noRecordIsLeft() {
        RemediationRecord record = new RemediationRecord("m-0", OperationScene.NOW, 0, true);
        dead.deleting = true;
        scene.add();
        assertThat(record.isSettled(scene.situation().machines(), 3))
                .as("while it is there")
                .isFalse();
        scene.hosts.remove(dead);
        assertThat(record.isSettled(scene.situation().machines(), 3)).isTrue();
        assertThat(record.isSettled(scene.situation().machines(), 4))
                .as("its replacement follows")
                .isFalse();
    }

    @Test
    void itLastsUntilTheReplacementVotes_andLetsNoOtherMemberLeaveFirst() {
        kill();
        dead.annotations.put(Annotations.OVERRIDE_QUORUM_GUARD, "");
        scene.inProgress = record();
        dead.deleting = true;
        Situation removal = scene.situation();
        assertThat(removal.mayOverrideGuard(scene.etcd())).isTrue();
        assertThat(removal.floor(OperationScene.machine(dead))).isEqualTo(new Floor(2, 2));
        assertThat(removal.floor(OperationScene.machine(scene.host(1)))).isEqualTo(new Floor(2, 3));
        Host later = new Host(dead.name, scene.now.plusSeconds(60));
        assertThat(removal.floor(OperationScene.machine(later)))
                .as("a later Machine of that name")
                .isEqualTo(new Floor(2, 3));

        scene.hosts.remove(dead);
        assertThat(scene.next()).isEqualTo(new Operation.Grow(new Action.Create(1)));
        Host replacement = scene.create();
        replacement.annotations.put(Annotations.REMEDIATION_FOR, scene.inProgress.value());
        scene.inProgress = null;
        replacement.joined = true;
        assertThat(scene.situation().mayOverrideGuard(scene.etcd())).isTrue();
        replacement.owner = "another";
        assertThat(scene.situation().mayOverrideGuard(scene.etcd()))
                .as("of a Machine that is not controlled")
                .isFalse();
        replacement.owner = "u";
        replacement.member = true;
        assertThat(scene.situation().mayOverrideGuard(scene.etcd())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"overrideEtcdQuorumGuard\":false", ",\"overrideEtcdQuorumGuard\":\"true\""})
    void onlyTrue_isConsent(String field) {
        assertThat(RemediationRecord.onReplacement(replacement(RECORD.formatted(field))))
                .hasValueSatisfying(
                        record -> assertThat(record.overridesGuard()).isFalse());
    }

    @Test
    void whatIsRead_isWhatWasWritten_withinLimits() {
        RemediationRecord written = new RemediationRecord("m-0", OperationScene.NOW, 3, true);
        assertThat(RemediationRecord.onReplacement(replacement(written.value())))
                .hasValue(written);
        assertThat(new RemediationRecord("m-0", OperationScene.NOW, 0, false).value())
                .as("as other providers write it")
                .isEqualTo(RECORD.formatted(""));
        String consent = ",\"overrideEtcdQuorumGuard\":true";
        assertThat(RemediationRecord.onReplacement(replacement(RECORD.formatted(consent + " ".repeat(1024)))))
                .as("too long")
                .isEmpty();
        assertThat(RemediationRecord.onReplacement(
                        replacement(RECORD.replace("0%s", "2147483647%s").formatted(consent))))
                .hasValueSatisfying(record -> assertThat(record.retryCount()).isEqualTo(1000));
    }

    private void kill() {
        dead.on = false;
        dead.unhealthy = true;
    }

    private RemediationRecord record() {
        return Objects.requireNonNull(Remediation.verdict(scene.situation(), scene.etcd())
                .orElseThrow()
                .record());
    }

    private String refusal() {
        Remediation.Verdict verdict =
                Remediation.verdict(scene.situation(), scene.etcd()).orElseThrow();
        assertThat(verdict.acts()).isFalse();
        return verdict.condition().message();
    }

    private static Machine replacement(String record) {
        Machine machine = new Machine();
        machine.setMetadata(new ObjectMetaBuilder()
                .withName("m-3")
                .withAnnotations(Map.of(Annotations.REMEDIATION_FOR, record))
                .build());
        return machine;
    }
}
