package io.capoa.controlplane.status;

import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.StatusVersion;
import io.capoa.controlplane.install.ResolvedRelease;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes versions of the control plane's Machines, oldest first (Cluster API v1beta2 control plane contract,
 * "version"). A Machine whose kubelet has not reported counts with the oldest version that others report: a host that joins
 * gets the configuration of its pool, and Cluster API, which compares the oldest with {@code spec.version}, must not take a
 * joining Machine for an upgrade. While none has reported they count with the version being installed: without any version
 * Cluster API would create no worker Machines, which the installation needs.
 */
final class RunningVersions {

    private static final Comparator<String> OLDEST_FIRST = Comparator.<String, int[]>comparing(
                    RunningVersions::numbers, Arrays::compare)
            .thenComparing(Comparator.naturalOrder());

    private RunningVersions() {}

    /** Versions with their number of Machines; empty while no kubelet has reported and the release is not resolved. */
    static List<StatusVersion> of(Collection<Machine> machines, @Nullable ResolvedRelease release) {
        SortedMap<String, Integer> replicas = new TreeMap<>(OLDEST_FIRST);
        machines.stream()
                .map(machine -> MachineView.of(machine).kubeletVersion())
                .filter(Objects::nonNull)
                .forEach(version -> replicas.merge(version, 1, Integer::sum));
        int reported = replicas.values().stream().mapToInt(Integer::intValue).sum();
        String others = replicas.isEmpty() ? installed(release) : replicas.firstKey();
        if (others != null && machines.size() > reported) {
            replicas.merge(others, machines.size() - reported, Integer::sum);
        }
        return replicas.entrySet().stream()
                .map(entry -> new StatusVersion(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static @Nullable String installed(@Nullable ResolvedRelease release) {
        return release == null ? null : "v" + release.kubernetesVersion();
    }

    private static int[] numbers(String version) {
        return Arrays.stream(version.split("[-+]", 2)[0].split("\\D+"))
                .filter(part -> !part.isEmpty() && part.length() < 10)
                .mapToInt(Integer::parseInt)
                .toArray();
    }
}
