package io.capoa.lab.pods;

import io.capoa.lab.cluster.ChildCommand;
import io.capoa.lab.cluster.Ports;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Probe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Command line of a container on this machine.
 *
 * @param command program, arguments and environment
 * @param ports loopback port by container port
 */
record Launch(ChildCommand command, SortedMap<Integer, Integer> ports) {

    /**
     * Combines the container's specification with its program.
     *
     * @param variables environment variables of the container
     * @param mounts folders of its volumes and the file of its termination message, by path in the container
     * @param identity ServiceAccount token; its folder is the home directory of the process
     * @param log file for its output
     */
    static Launch of(
            Pod pod,
            Container container,
            Program program,
            Map<String, String> variables,
            Map<String, Path> mounts,
            Identity identity,
            Path log) {
        List<String> arguments = arguments(container, variables, program);
        SortedMap<Integer, Integer> ports =
                free(portsOf(container, arguments, pod.getSpec().getContainers()));
        Translation translation = new Translation(ports, mounts);
        List<String> line = new ArrayList<>(PodLimits.in(program.command(), container));
        line.addAll(translation.arguments(arguments));

        Map<String, String> environment = new HashMap<>(program.environmentAs(identity));
        variables.forEach((name, value) -> environment.put(name, translation.text(value)));
        environment.put("HOSTNAME", pod.getMetadata().getName());
        environment.putIfAbsent("HOME", identity.folder().toString());
        if (PodParts.wantsToken(pod) && !program.readsToken()) {
            environment.put("KUBECONFIG", identity.kubeconfig().toString());
        }
        String name = "%s/%s %s"
                .formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName(), container.getName());
        ChildCommand command = ChildCommand.of(name, log, line)
                .withOnlyEnvironment(environment)
                .inDirectory(identity.folder())
                .withGrace(Duration.ofSeconds(PodParts.graceSeconds(pod)));
        return new Launch(command, ports);
    }

    /** Drops the first element of a command, which is the image's program. */
    private static List<String> arguments(Container container, Map<String, String> variables, Program program) {
        List<String> given = Stream.concat(container.getCommand().stream().skip(1), container.getArgs().stream())
                .map(argument -> Expansion.expand(argument, variables))
                .toList();
        return Translation.withDefaults(given, program.defaults());
    }

    private static NavigableSet<Integer> portsOf(
            Container container, List<String> arguments, List<Container> siblings) {
        NavigableSet<Integer> ports = new TreeSet<>(Translation.portsIn(arguments));
        container.getPorts().stream().map(ContainerPort::getContainerPort).forEach(ports::add);
        for (Probe probe : PodParts.probes(container)) {
            if (probe.getHttpGet() != null) {
                PodParts.port(siblings, probe.getHttpGet().getPort()).ifPresent(ports::add);
            } else if (probe.getTcpSocket() != null) {
                PodParts.port(siblings, probe.getTcpSocket().getPort()).ifPresent(ports::add);
            }
        }
        return ports;
    }

    private static SortedMap<Integer, Integer> free(NavigableSet<Integer> wanted) {
        List<Integer> free = Ports.free(wanted.size());
        SortedMap<Integer, Integer> ports = new TreeMap<>();
        wanted.forEach(port -> ports.put(port, free.get(ports.size())));
        return ports;
    }
}
