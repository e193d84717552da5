package io.capoa.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * etcd, kube-apiserver and, if available, kube-controller-manager on loopback, as child processes. A process that exits
 * unexpectedly is restarted with the same ports and data.
 */
final class ControlPlaneProcesses {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Binaries binaries;
    private final ControlPlaneFiles files;
    private final UserTokens tokens;
    private final Consumer<String> restarted;
    private final Consumer<ChildProcess.Exit> gaveUp;
    private final Map<Tool, ChildCommand> commands = new EnumMap<>(Tool.class);
    private final Map<Tool, ChildProcess> running = new EnumMap<>(Tool.class);
    private final Map<Tool, Restarts> restarts = new EnumMap<>(Tool.class);

    private String server = "";
    private boolean restarting;
    private @Nullable EtcdData data;

    /**
     * Creates the processes; {@link #start} starts them.
     *
     * @param restarted receives a sentence when a process has exited and is restarted
     * @param gaveUp called when a process has exited too often
     */
    ControlPlaneProcesses(
            Binaries binaries,
            ControlPlaneFiles files,
            UserTokens tokens,
            Consumer<String> restarted,
            Consumer<ChildProcess.Exit> gaveUp) {
        this.binaries = binaries;
        this.files = files;
        this.tokens = tokens;
        this.restarted = restarted;
        this.gaveUp = gaveUp;
    }

    /** URL of the API server. */
    String server() {
        return server;
    }

    /** The running processes. */
    synchronized Map<Tool, ChildProcess> running() {
        return new EnumMap<>(running);
    }

    /**
     * Starts all processes on the given data; returns when the API server is ready.
     *
     * @param step receives what is done next
     */
    void start(LoopbackPorts ports, EtcdData etcdData, Consumer<String> step) {
        binaries.provide(Tool.CONTROL_PLANE);
        Path apiServer = binaries.require(Tool.KUBE_APISERVER);
        Path etcd = binaries.require(Tool.ETCD);
        Optional<Path> controllerManager = binaries.find(Tool.KUBE_CONTROLLER_MANAGER);
        step.accept("starting etcd and kube-apiserver");
        server = "https://127.0.0.1:" + ports.apiServer();
        data = etcdData;
        launch(Tool.ETCD, etcdCommand(etcd, ports, etcdData.folder()), etcdData.removedAfterwards());
        launch(Tool.KUBE_APISERVER, apiServerCommand(apiServer, ports), Optional.empty());
        step.accept("waiting until etcd and kube-apiserver are ready");
        await("write its certificate", this::certificateIsWhole);
        try (ReadyzClient readiness =
                new ReadyzClient(server, files.authority(), tokens.of(UserTokens.ADMINISTRATOR))) {
            await("become ready", readiness::isReady);
        }
        synchronized (this) {
            restarting = true;
        }
        // It exits if the API server is not healthy soon, for example on a busy machine, and is then restarted.
        controllerManager.ifPresent(program -> {
            Path kubeconfig = new UserKubeconfig(
                            server,
                            files.authority(),
                            UserTokens.CONTROLLER_MANAGER,
                            tokens.of(UserTokens.CONTROLLER_MANAGER))
                    .write(files.kubeconfig(UserTokens.CONTROLLER_MANAGER));
            launch(
                    Tool.KUBE_CONTROLLER_MANAGER,
                    controllerManagerCommand(program, ports, kubeconfig),
                    Optional.empty());
        });
    }

    /** Stops all processes and removes etcd's data, unless they are kept. */
    void stop() {
        Map<Tool, ChildProcess> last;
        synchronized (this) {
            restarting = false;
            last = running();
        }
        last.values().forEach(ChildProcess::stopping);
        last.values().forEach(ChildProcess::stop);
        if (data != null) {
            data.remove();
        }
    }

    private synchronized void launch(Tool tool, List<String> command, Optional<Path> remove) {
        ChildCommand child =
                ChildCommand.of(tool.executable(), files.log(tool), command).withGrace(GRACE);
        commands.put(tool, remove.map(child::removingAfterwards).orElse(child));
        start(tool);
    }

    private void start(Tool tool) {
        running.put(tool, Objects.requireNonNull(commands.get(tool)).start(exit -> ended(tool, exit)));
    }

    /** During the start {@link #await} notices an exit. */
    private void ended(Tool tool, ChildProcess.Exit exit) {
        Optional<Duration> pause;
        synchronized (this) {
            if (!restarting) {
                return;
            }
            pause = restarts.computeIfAbsent(tool, unused -> new Restarts()).afterEnd(Instant.now());
        }
        if (pause.isEmpty()) {
            gaveUp.accept(exit);
            return;
        }
        restarted.accept("%s ended with exit code %d and is restarted.".formatted(exit.name(), exit.code()));
        Thread.ofVirtual().name("restart " + exit.name()).start(() -> restart(tool, pause.get(), exit));
    }

    private void restart(Tool tool, Duration pause, ChildProcess.Exit exit) {
        try {
            Thread.sleep(pause);
            synchronized (this) {
                if (restarting) {
                    start(tool);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ClusterException e) {
            gaveUp.accept(exit);
        }
    }

    private boolean certificateIsWhole() {
        try {
            return Files.exists(files.servingKey())
                    && Files.readString(files.servingCertificate())
                            .stripTrailing()
                            .endsWith("-----END CERTIFICATE-----");
        } catch (IOException e) {
            return false;
        }
    }

    private void await(String what, Condition condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            for (ChildProcess child : running().values()) {
                if (!child.isAlive()) {
                    throw new ControlPlaneExit(child.exit());
                }
            }
            if (System.nanoTime() > deadline) {
                ChildProcess apiServer = Objects.requireNonNull(running().get(Tool.KUBE_APISERVER));
                throw new ClusterException("kube-apiserver did not %s within %d s. Last lines of %s:%n  %s"
                        .formatted(
                                what,
                                PATIENCE.toSeconds(),
                                apiServer.log(),
                                String.join(System.lineSeparator() + "  ", apiServer.logTail())));
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClusterException("Interrupted while the API server was starting.", e);
            }
        }
    }

    private static List<String> etcdCommand(Path program, LoopbackPorts ports, Path data) {
        String client = "http://127.0.0.1:" + ports.etcdClient();
        String peer = "http://127.0.0.1:" + ports.etcdPeer();
        return List.of(
                program.toString(),
                "--name=lab",
                "--data-dir=" + data,
                "--unsafe-no-fsync",
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=lab=" + peer,
                "--log-level=warn");
    }

    private List<String> apiServerCommand(Path program, LoopbackPorts ports) {
        return List.of(
                program.toString(),
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--secure-port=" + ports.apiServer(),
                "--endpoint-reconciler-type=none",
                "--etcd-servers=http://127.0.0.1:" + ports.etcdClient(),
                "--cert-dir=" + files.certificates(),
                "--authorization-mode=RBAC",
                "--token-auth-file=" + files.tokens(),
                "--service-cluster-ip-range=10.0.0.0/24",
                "--disable-admission-plugins=ServiceAccount",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + files.serviceAccountPublicKey(),
                "--service-account-signing-key-file=" + files.serviceAccountKey(),
                // Calls webhooks of Services at the endpoints in EndpointSlices, not at a cluster IP.
                "--enable-aggregator-routing=true",
                "--audit-policy-file=" + files.auditPolicy(),
                "--audit-log-path=" + files.auditLog(),
                "--audit-log-format=json",
                "--audit-log-mode=blocking",
                // In MB, far above what a run writes: no rotation while the log is being read.
                "--audit-log-maxsize=100000");
    }

    private static List<String> controllerManagerCommand(Path program, LoopbackPorts ports, Path kubeconfig) {
        return List.of(
                program.toString(),
                "--kubeconfig=" + kubeconfig,
                "--bind-address=127.0.0.1",
                "--secure-port=" + ports.controllerManager(),
                "--leader-elect=false",
                "--use-service-account-credentials=true",
                "--controllers=garbage-collector-controller,namespace-controller,clusterrole-aggregation-controller,"
                        + "serviceaccount-controller,deployment-controller,replicaset-controller");
    }

    /** A condition to wait for. */
    private interface Condition {
        boolean holds();
    }

    /** Ports that were free when they were picked. */
    record LoopbackPorts(int apiServer, int etcdClient, int etcdPeer, int controllerManager) {

        static LoopbackPorts free() {
            List<Integer> ports = new ArrayList<>(Ports.free(4));
            return new LoopbackPorts(ports.get(0), ports.get(1), ports.get(2), ports.get(3));
        }

        LoopbackPorts withApiServer(int port) {
            return new LoopbackPorts(port, etcdClient, etcdPeer, controllerManager);
        }
    }
}
