package io.capoa.lab.pods;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Probe;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Reads a pod's specification, with Kubernetes' defaults. */
final class PodParts {

    private PodParts() {}

    static String account(Pod pod) {
        String name = pod.getSpec().getServiceAccountName();
        return name == null || name.isEmpty() ? "default" : name;
    }

    /** Whether the pod gets a ServiceAccount token. */
    static boolean wantsToken(Pod pod) {
        return !Boolean.FALSE.equals(pod.getSpec().getAutomountServiceAccountToken());
    }

    static long graceSeconds(Pod pod) {
        Long asked = pod.getMetadata().getDeletionGracePeriodSeconds();
        Long specified = pod.getSpec().getTerminationGracePeriodSeconds();
        return asked != null ? asked : specified != null ? specified : 30;
    }

    /** All probes of a container. */
    static List<Probe> probes(Container container) {
        return Stream.of(container.getStartupProbe(), container.getReadinessProbe(), container.getLivenessProbe())
                .filter(Objects::nonNull)
                .toList();
    }

    /** The number of a port given by number or name. */
    static OptionalInt port(List<Container> containers, IntOrString port) {
        if (port.getIntVal() != null) {
            return OptionalInt.of(port.getIntVal());
        }
        return containers.stream()
                .flatMap(container -> container.getPorts().stream())
                .filter(declared -> Objects.equals(declared.getName(), port.getStrVal()))
                .mapToInt(ContainerPort::getContainerPort)
                .findFirst();
    }
}
