package io.capoa.controlplane.install;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigTemplate;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The objects that ask for worker hosts of one Cluster in one namespace, each host once: MachineDeployments, MachineSets
 * that no MachineDeployment controls, and Machines that stand alone.
 *
 * @param machines Machines of the Cluster; those of the control plane and of MachineSets are not counted
 */
public record Workers(
        Collection<MachineDeployment> deployments, Collection<MachineSet> sets, Collection<Machine> machines) {

    private static final String[] IN_TEMPLATE = {"spec", "template", "spec", "bootstrap"};
    private static final String[] IN_MACHINE = {"spec", "bootstrap"};

    /** No worker. */
    public static Workers none() {
        return new Workers(List.of(), List.of(), List.of());
    }

    /** How many worker hosts are installed together with the control plane. */
    public int count() {
        Stream<? extends GenericKubernetesResource> groups = Stream.concat(
                deployments.stream(), sets.stream().filter(set -> !isControlledBy(set, MachineDeployment.class)));
        int grouped = groups.filter(Workers::stays)
                .filter(group -> isOurs(group, OpenshiftAssistedConfigTemplate.class, IN_TEMPLATE))
                .mapToInt(Workers::replicas)
                .sum();
        long single = machines.stream()
                .filter(Workers::standsAlone)
                .filter(Workers::stays)
                .filter(machine -> isOurs(machine, OpenshiftAssistedConfig.class, IN_MACHINE))
                .count();
        return grouped + (int) single;
    }

    /** Absent replicas are 1, as Cluster API takes them. */
    private static int replicas(GenericKubernetesResource group) {
        Integer replicas = Fields.integer(group, "spec", "replicas");
        return replicas == null ? 1 : replicas;
    }

    private static boolean stays(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() == null;
    }

    private static boolean standsAlone(Machine machine) {
        Map<String, String> labels = machine.getMetadata().getLabels();
        boolean grouped =
                labels != null && (labels.containsKey(Labels.CONTROL_PLANE) || labels.containsKey(Labels.SET_NAME));
        return !grouped
                && machine.getMetadata().getOwnerReferences().stream()
                        .noneMatch(owner -> Boolean.TRUE.equals(owner.getController()));
    }

    private static boolean isControlledBy(HasMetadata object, Class<? extends HasMetadata> kind) {
        return object.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> Boolean.TRUE.equals(owner.getController())
                        && owner.getKind().equals(HasMetadata.getKind(kind)));
    }

    /** Hosts that bootstrap by other means than assisted-service never show up in the installation. */
    private static boolean isOurs(
            GenericKubernetesResource object, Class<? extends HasMetadata> config, String... bootstrap) {
        String kind = Fields.string(object, path(bootstrap, "configRef", "kind"));
        return kind == null
                ? Fields.string(object, path(bootstrap, "dataSecretName")) == null
                : kind.equals(HasMetadata.getKind(config));
    }

    private static String[] path(String[] start, String... end) {
        return Stream.concat(Arrays.stream(start), Arrays.stream(end)).toArray(String[]::new);
    }
}
