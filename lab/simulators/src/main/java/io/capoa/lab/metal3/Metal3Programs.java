package io.capoa.lab.metal3;

import io.capoa.lab.cluster.ChildCommand;
import io.capoa.lab.cluster.ChildProcess;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.Ports;
import io.capoa.lab.cluster.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The real Metal3 from given executables: CAPM3's manager, and baremetal-operator in its demo mode, which needs no
 * hardware.
 */
public final class Metal3Programs implements AutoCloseable {

    /** Executable of CAPM3's manager. */
    static final String CAPM3 = "cluster-api-provider-metal3";

    /** Executable of baremetal-operator. */
    static final String OPERATOR = "baremetal-operator";

    /** What replaces real hardware in baremetal-operator from 0.14 on; before, it is compiled in. */
    static final String DEMO_PLUGIN = "demo-provisioner.so";

    /** Executables that a folder must contain. */
    public static final List<String> EXECUTABLES = List.of(CAPM3, OPERATOR);

    private final List<ChildProcess> running = new ArrayList<>();
    private final Metal3Webhooks webhooks;

    private Metal3Programs(Metal3Webhooks webhooks) {
        this.webhooks = webhooks;
    }

    /** The first missing executable of a folder. */
    public static Optional<String> missing(Path folder) {
        return EXECUTABLES.stream()
                .filter(name -> !Files.isExecutable(folder.resolve(name)))
                .findFirst();
    }

    /**
     * Starts both, as the user {@code metal3}. CAPM3 requires a certificate for its webhooks; the API server calls them
     * if the folder contains their configurations.
     *
     * @param folder folder with the executables, the plugin {@value #DEMO_PLUGIN} of a baremetal-operator that needs it,
     *     and, to call the webhooks, YAML files of CAPM3's components
     * @param logs folder of their log files
     * @param died called when one has ended unexpectedly
     */
    public static Metal3Programs start(Path folder, TestCluster cluster, Path logs, Consumer<ChildProcess.Exit> died) {
        Map<String, String> environment = Map.of(
                "KUBECONFIG",
                cluster.kubeconfigOf(KnownUsers.METAL3).toString(),
                "POD_NAMESPACE",
                "capm3-system",
                "POD_NAME",
                "metal3",
                "PROVISIONER_PLUGIN_DIR",
                folder.toString());
        List<Integer> ports = Ports.free(5);
        Metal3Webhooks webhooks = Metal3Webhooks.prepare(
                cluster.admin(), ports.get(4), logs.resolveSibling("capm3-webhook-certificates"));
        Metal3Programs programs = new Metal3Programs(webhooks);
        programs.run(
                logs,
                environment,
                died,
                Stream.concat(
                                Stream.of(
                                        folder.resolve(CAPM3).toString(),
                                        "--diagnostics-address=127.0.0.1:" + ports.get(0),
                                        "--insecure-diagnostics",
                                        "--health-addr=127.0.0.1:" + ports.get(1),
                                        "--leader-elect=false"),
                                webhooks.flags().stream())
                        .toList());
        programs.run(
                logs,
                environment,
                died,
                List.of(
                        folder.resolve(OPERATOR).toString(),
                        Files.exists(folder.resolve(DEMO_PLUGIN)) ? "-provisioner=demo" : "-demo-mode",
                        "-webhook-port=0",
                        "-metrics-addr=127.0.0.1:" + ports.get(2),
                        "-health-addr=127.0.0.1:" + ports.get(3)));
        webhooks.callFrom(folder);
        return programs;
    }

    private void run(
            Path logs, Map<String, String> environment, Consumer<ChildProcess.Exit> died, List<String> command) {
        String name = String.valueOf(Path.of(command.getFirst()).getFileName());
        running.add(ChildCommand.of(name, logs.resolve(name + ".log"), command)
                .withEnvironment(environment)
                .start(died));
    }

    /** The processes. */
    public List<ChildProcess> running() {
        return List.copyOf(running);
    }

    @Override
    public void close() {
        webhooks.close();
        running.forEach(ChildProcess::stopping);
        running.forEach(ChildProcess::stop);
    }
}
