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
     * @param folder folder with the executables and, to call the webhooks, YAML files of CAPM3's components
     * @param logs folder of their log files
     * @param died called when one has ended unexpectedly
     */
    public static Metal3Programs start(Path folder, TestCluster cluster, Path logs, Consumer<ChildProcess.Exit> died) {
        String kubeconfig = cluster.kubeconfigOf(KnownUsers.METAL3).toString();
        List<Integer> ports = Ports.free(5);
        Metal3Webhooks webhooks = Metal3Webhooks.prepare(
                cluster.admin(), ports.get(4), logs.resolveSibling("capm3-webhook-certificates"));
        Metal3Programs programs = new Metal3Programs(webhooks);
        programs.run(
                logs,
                kubeconfig,
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
                kubeconfig,
                died,
                List.of(
                        folder.resolve(OPERATOR).toString(),
                        "-demo-mode",
                        "-webhook-port=0",
                        "-metrics-addr=127.0.0.1:" + ports.get(2),
                        "-health-addr=127.0.0.1:" + ports.get(3)));
        webhooks.callFrom(folder);
        return programs;
    }

    private void run(Path logs, String kubeconfig, Consumer<ChildProcess.Exit> died, List<String> command) {
        String name = String.valueOf(Path.of(command.getFirst()).getFileName());
        running.add(ChildCommand.of(name, logs.resolve(name + ".log"), command)
                .withEnvironment(Map.of("KUBECONFIG", kubeconfig, "POD_NAMESPACE", "capm3-system", "POD_NAME", name))
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
