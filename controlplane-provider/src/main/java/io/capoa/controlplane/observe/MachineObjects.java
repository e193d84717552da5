package io.capoa.controlplane.observe;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.install.Workers;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The Machines of a Cluster and their objects. Lists are sorted by name.
 *
 * @param machines Machines that the control plane controls, and orphans that carry its labels
 * @param infrastructure infrastructure machines by name of their Machine; {@code null} while their cache is not synced
 * @param configs OpenshiftAssistedConfigs of the Cluster, those of workers included
 * @param workers MachineDeployments, MachineSets and standalone Machines of the Cluster
 */
public record MachineObjects(
        List<Machine> machines,
        @Nullable Map<String, GenericKubernetesResource> infrastructure,
        List<OpenshiftAssistedConfig> configs,
        Workers workers) {}
