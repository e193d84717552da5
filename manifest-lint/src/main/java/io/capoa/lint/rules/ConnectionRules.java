package io.capoa.lint.rules;

import io.capoa.api.contract.Fields;
import io.capoa.lint.manifest.Finding;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The host's network, its ports, and the way to the API server. */
final class ConnectionRules {

    static final List<WorkloadRule> ALL = List.of(
            ConnectionRules::hostNetwork,
            ConnectionRules::takenPort,
            ConnectionRules::port,
            ConnectionRules::apiServer);

    static final int MANAGER_PORT = 10258;
    static final int NODE_MANAGER_PORT = 10263;

    /** Ports of every control plane node of OpenShift, with their owner. */
    private static final Map<Integer, String> TAKEN = Map.of(
            2379, "etcd",
            2380, "etcd",
            6443, "the API server",
            9100, "the node exporter",
            10250, "the kubelet",
            10257, "the controller manager",
            10259, "the scheduler",
            22623, "the machine config server",
            22624, "the machine config server");

    private static final String API_SERVER_FILE = "apiserver-url.env";
    private static final String HOST_FOLDER = "/etc/kubernetes";

    private ConnectionRules() {}

    /** The ports that the workload binds on its nodes, as far as its manifest tells. */
    static Set<Integer> hostPorts(Workload workload) {
        Set<Integer> ports = new TreeSet<>();
        if (!workload.hasHostNetwork()) {
            return ports;
        }
        for (Container container : workload.containers()) {
            container.list("ports").forEach(port -> {
                if (Fields.any(port, "containerPort") instanceof Number number) {
                    ports.add(number.intValue());
                }
            });
            container
                    .flag("secure-port")
                    .filter(port -> port.matches("[0-9]{1,5}"))
                    .map(Integer::valueOf)
                    .ifPresent(ports::add);
        }
        ports.remove(0);
        if (ports.isEmpty() && !workload.isNodeManager()) {
            ports.add(MANAGER_PORT);
        }
        return ports;
    }

    private static Stream<Finding> hostNetwork(Workload workload, LintContext context) {
        return workload.hasHostNetwork()
                ? Stream.empty()
                : workload.warning(
                        workload.path("hostNetwork"),
                        "the pods are in the pod network",
                        "which may need the Nodes to be initialized before it runs, and hides the metadata service",
                        "write true");
    }

    private static Stream<Finding> takenPort(Workload workload, LintContext context) {
        return hostPorts(workload).stream()
                .filter(TAKEN::containsKey)
                .flatMap(port -> workload.blocking(
                        workload.path("containers"),
                        "port " + port + " belongs to " + TAKEN.get(port),
                        "and the container cannot bind it in the host's network",
                        "write --secure-port=" + expectedPort(workload) + " and the same containerPort"));
    }

    private static Stream<Finding> port(Workload workload, LintContext context) {
        return hostPorts(workload).stream()
                .filter(port -> port != MANAGER_PORT && port != NODE_MANAGER_PORT && !TAKEN.containsKey(port))
                .flatMap(port -> workload.warning(
                        workload.path("containers"),
                        "port " + port + " is not reserved for cloud controller managers",
                        "and another component of OpenShift may bind it",
                        "use port " + expectedPort(workload)));
    }

    private static int expectedPort(Workload workload) {
        return workload.isNodeManager() ? NODE_MANAGER_PORT : MANAGER_PORT;
    }

    private static Stream<Finding> apiServer(Workload workload, LintContext context) {
        String remedy = "mount the host path " + HOST_FOLDER + " and source " + HOST_FOLDER + "/" + API_SERVER_FILE
                + " in a shell before the command";
        boolean mounted = workload.podList("volumes").stream()
                .anyMatch(volume -> HOST_FOLDER.equals(Fields.any(volume, "hostPath", "path")));
        return workload.mainContainer()
                .filter(container -> workload.hasHostNetwork() && !hasOtherAddress(container))
                .flatMap(container -> !container.commandLine().contains(API_SERVER_FILE)
                        ? workload.warning(
                                workload.path(container, "command"),
                                "the API server is reached through its Service",
                                "which the host's network has only once the pod network runs",
                                remedy)
                        : mounted
                                ? Stream.empty()
                                : workload.warning(
                                        workload.path("volumes"),
                                        HOST_FOLDER + "/" + API_SERVER_FILE + " is sourced but not mounted",
                                        "and the API server is reached through its Service, once the pod network runs",
                                        remedy));
    }

    private static boolean hasOtherAddress(Container container) {
        return container.flag("master").isPresent()
                || container.flag("kubeconfig").isPresent()
                || container.list("env").stream()
                        .anyMatch(variable -> "KUBERNETES_SERVICE_HOST".equals(Fields.any(variable, "name")));
    }
}
