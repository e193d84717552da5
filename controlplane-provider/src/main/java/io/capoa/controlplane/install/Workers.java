package io.capoa.controlplane.install;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigTemplate;
import io.capoa.api.contract.Bootstrap;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineGroupView;
import io.capoa.api.contract.MachineSet;
import io.capoa.api.contract.MachineView;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * The objects of one Cluster that request worker hosts, each host counted once: MachineDeployments, MachineSets without
 * a MachineDeployment, and standalone Machines.
 *
 * @param machines Machines of the Cluster; those of the control plane and of MachineSets are not counted
 */
public record Workers(
        Collection<MachineDeployment> deployments, Collection<MachineSet> sets, Collection<Machine> machines) {

    /** No workers. */
    public static Workers none() {
        return new Workers(List.of(), List.of(), List.of());
    }

    /** Number of worker hosts to install together with the control plane. */
    public int count() {
        Stream<MachineGroupView> groups = Stream.concat(
                deployments.stream().map(MachineGroupView::of),
                sets.stream()
                        .filter(set -> !isControlledBy(set, MachineDeployment.class))
                        .map(MachineGroupView::of));
        int grouped = groups.filter(group -> !group.isDeleting())
                .filter(group -> usesAssistedService(group.bootstrap(), OpenshiftAssistedConfigTemplate.class))
                .mapToInt(MachineGroupView::replicas)
                .sum();
        long single = machines.stream()
                .filter(Workers::standsAlone)
                .map(MachineView::of)
                .filter(machine -> !machine.isDeleting())
                .filter(machine -> usesAssistedService(machine.bootstrap(), OpenshiftAssistedConfig.class))
                .count();
        return grouped + (int) single;
    }

    private static boolean standsAlone(Machine machine) {
        boolean grouped = Labels.has(machine, Labels.CONTROL_PLANE) || Labels.has(machine, Labels.SET_NAME);
        return !grouped
                && machine.getMetadata().getOwnerReferences().stream()
                        .noneMatch(owner -> Boolean.TRUE.equals(owner.getController()));
    }

    private static boolean isControlledBy(HasMetadata object, Class<? extends HasMetadata> kind) {
        return object.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> Boolean.TRUE.equals(owner.getController())
                        && owner.getKind().equals(HasMetadata.getKind(kind)));
    }

    /** Only hosts that bootstrap through assisted-service take part in the installation. */
    private static boolean usesAssistedService(Bootstrap bootstrap, Class<? extends HasMetadata> config) {
        String kind = bootstrap.configRef().kind();
        return kind == null ? bootstrap.dataSecretName() == null : kind.equals(HasMetadata.getKind(config));
    }
}
