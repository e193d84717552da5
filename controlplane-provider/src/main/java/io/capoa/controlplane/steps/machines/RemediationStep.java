package io.capoa.controlplane.steps.machines;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions;
import io.capoa.controlplane.machines.Machines;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.controlplane.observe.LiveMachines;
import io.capoa.controlplane.operation.Remediation;
import io.capoa.controlplane.operation.RemediationRecord;
import io.capoa.controlplane.operation.Situation;
import io.capoa.controlplane.operation.UnhealthyMachine;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes what belongs to the replacement of an unhealthy Machine: condition OwnerRemediated, and the annotations that
 * count retries.
 */
public final class RemediationStep {

    private final ControlPlaneSources sources;
    private final KubernetesClient client;
    private final Applier applier;
    private final MachineConditionWriter conditions;

    public RemediationStep(
            ControlPlaneSources sources, KubernetesClient client, Applier applier, MachineConditionWriter conditions) {
        this.sources = sources;
        this.client = client;
        this.applier = applier;
        this.conditions = conditions;
    }

    /** Says on the Machines what happens to them, and ends what earlier remediations left. */
    void report(ControlPlaneObservation observation, Situation situation, @Nullable EtcdState etcd) {
        Remediation.verdict(situation, etcd).ifPresent(verdict -> say(verdict.machine(), verdict.condition()));
        observation.machines().stream()
                .filter(UnhealthyMachine::hasRecovered)
                .forEach(machine -> withdraw(observation, machine));
        RemediationRecord.inProgress(observation.controlPlane()).ifPresent(record -> handOver(observation, record));
    }

    /** Records the remediation on the control plane. */
    void begin(ControlPlaneObservation observation, Remediation.Verdict verdict) {
        RemediationRecord record = verdict.record();
        if (record != null) {
            applier.patch(observation.controlPlane(), annotation(Annotations.REMEDIATION_IN_PROGRESS, record.value()));
        }
    }

    /** Moves the record from the control plane to the newest Machine that was created after it. */
    private void handOver(ControlPlaneObservation observation, RemediationRecord record) {
        Machines staying = observation.machines().staying();
        boolean abandoned =
                staying.stream().anyMatch(machine -> record.isOf(machine) && UnhealthyMachine.isHealthy(machine));
        Optional<Machine> replacement = staying.stream()
                .filter(machine -> !abandoned && !record.isOf(machine) && record.isBefore(machine))
                .max(Comparator.comparing(
                        machine -> Instant.parse(machine.getMetadata().getCreationTimestamp())));
        replacement.ifPresent(machine ->
                applier.patch(sources.machines(), machine, annotation(Annotations.REMEDIATION_FOR, record.value())));
        if (abandoned
                || replacement.isPresent()
                || record.isSettled(observation.machines(), observation.desiredReplicas())) {
            applier.patch(observation.controlPlane(), annotation(Annotations.REMEDIATION_IN_PROGRESS, null));
        }
    }

    private void say(Machine machine, Blocker why) {
        var unused = conditions.write(
                machine,
                new ConditionView(
                        ControlPlaneMachineConditions.OWNER_REMEDIATED, Condition.FALSE, why.reason(), why.message()));
    }

    /** The MachineHealthCheck only adds the condition; its owner removes it. */
    private void withdraw(ControlPlaneObservation observation, Machine recovered) {
        // Read live: the cache lacks conditions, and the list is written as a whole.
        Machine machine = LiveMachines.list(client, observation.identity()).stream()
                .filter(live -> live.getMetadata()
                        .getUid()
                        .equals(recovered.getMetadata().getUid()))
                .filter(UnhealthyMachine::hasRecovered)
                .findFirst()
                .orElse(null);
        if (machine == null) {
            return;
        }
        List<?> others = Fields.list(machine, "status", "conditions").stream()
                .filter(condition ->
                        !ControlPlaneMachineConditions.OWNER_REMEDIATED.equals(Fields.text(condition, "type")))
                .toList();
        try {
            var unused = applier.patchStatusIfUnchanged(sources.machines(), machine, Map.of("conditions", others));
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    private static Map<String, Object> annotation(String name, @Nullable String value) {
        Map<String, Object> annotations = new HashMap<>();
        annotations.put(name, value);
        return Map.of("metadata", Map.of("annotations", annotations));
    }
}
