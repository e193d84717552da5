package io.capoa.lab.page;

import static java.util.Comparator.comparing;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.page.PageState.Milestone;
import io.capoa.lab.page.PageState.Track;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When an object took which step, by the times of its conditions. */
final class Timeline {

    private Timeline() {}

    static Track ofControlPlane(OpenshiftAssistedControlPlane controlPlane) {
        List<Milestone> milestones = begin(controlPlane);
        add(milestones, controlPlane, "ReleaseResolved", "release resolved");
        add(milestones, controlPlane, "MachinesCreated", "Machines created");
        add(milestones, controlPlane, "KubeconfigAvailable", "kubeconfig published");
        add(milestones, controlPlane, "Initialized", "API server answered");
        add(milestones, controlPlane, "Available", "available");
        return track(controlPlane, milestones);
    }

    /** @param config {@code null} if the Machine has none */
    static Track ofMachine(Machine machine, @Nullable OpenshiftAssistedConfig config) {
        List<Milestone> milestones = begin(machine);
        if (config != null) {
            add(milestones, config, "InfraEnvReady", "boot media made");
            add(milestones, config, "DataSecretAvailable", "bootstrap data written");
            add(milestones, config, "AgentRegistered", "host booted and registered");
            add(milestones, config, "AgentApproved", "host approved");
            add(milestones, config, "Installed", "host installed");
        }
        add(milestones, machine, "InfrastructureReady", "infrastructure ready");
        add(milestones, machine, "NodeReady", "node ready");
        return track(machine, milestones);
    }

    private static List<Milestone> begin(HasMetadata object) {
        List<Milestone> milestones = new ArrayList<>();
        milestones.add(
                new Milestone("created", String.valueOf(object.getMetadata().getCreationTimestamp())));
        return milestones;
    }

    private static void add(List<Milestone> milestones, HasMetadata object, String type, String label) {
        ObjectConditions.trueSince(object, type).ifPresent(time -> milestones.add(new Milestone(label, time)));
    }

    private static Track track(HasMetadata object, List<Milestone> milestones) {
        Milestone created = milestones.getFirst();
        List<Milestone> sorted = new ArrayList<>(
                milestones.stream().sorted(comparing(Milestone::time)).toList());
        if (!sorted.getFirst().equals(created)) {
            // An object that was moved or restored is younger than what it went through.
            sorted.remove(created);
        }
        return new Track(object.getMetadata().getName(), sorted);
    }
}
