package io.capoa.controlplane.steps.machines;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.machines.InPlace;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Set;

/** Propagates machine template changes to existing Machines in place, and adopts orphans. */
public final class InPlaceStep {

    private final ControlPlaneSources sources;
    private final Applier applier;

    public InPlaceStep(ControlPlaneSources sources, Applier applier) {
        this.sources = sources;
        this.applier = applier;
    }

    public void apply(ControlPlaneObservation observation) {
        for (Machine machine : observation.machines()) {
            try {
                apply(observation, machine);
            } catch (KubernetesClientException e) {
                boolean gone = e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                        || e.getCode() == HttpURLConnection.HTTP_CONFLICT;
                if (!gone) {
                    throw e;
                }
            }
        }
    }

    /**
     * Applies the Machine last: its managed fields show which labels and annotations were removed from the template.
     */
    private void apply(ControlPlaneObservation observation, Machine machine) {
        String name = machine.getMetadata().getName();
        Machine desired = InPlace.machine(observation.identity(), machine);
        Set<String> labels = InPlace.dropped(
                applier.owned(machine, "metadata", "labels"),
                desired.getMetadata().getLabels());
        Set<String> annotations = InPlace.dropped(
                applier.owned(machine, "metadata", "annotations"),
                desired.getMetadata().getAnnotations());
        Map<String, Object> metadata = InPlace.metadata(observation.identity(), labels, annotations);
        OpenshiftAssistedConfig config = observation.config(name).orElse(null);
        if (config != null
                && !config.isMarkedForDeletion()
                && InPlace.isPart(observation.identity(), machine, config)) {
            applier.patch(sources.configs(), config, metadata);
        }
        GenericKubernetesResource infrastructure = observation.infrastructureMachine(name);
        if (infrastructure != null
                && !infrastructure.isMarkedForDeletion()
                && InPlace.isPart(observation.identity(), machine, infrastructure)) {
            applier.patch(infrastructure, metadata);
        }
        applier.apply(sources.machines(), desired, machine);
    }
}
