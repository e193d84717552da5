package io.capoa.lab.host;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.lab.actors.Delays;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One boot of one host, from power-on until it is part of a cluster or until it cannot go on. */
final class Machine {

    /** The stage on which a host breaks down, for trying out failures. */
    static final String FAIL_ANNOTATION = "lab.capoa.io/fail";

    /** The stage before which a host rests as long as the annotation is there. */
    static final String HOLD_ANNOTATION = "lab.capoa.io/hold";

    private static final long LOOK_AGAIN_MILLIS = 50;

    private final BareMetalHost host;
    private final Supplier<@Nullable BareMetalHost> current;
    private final BootMedium medium;
    private final java.net.http.HttpClient http;
    private final Delays delays;
    private final Path root;
    private final Path commands;
    private final Consumer<String> waits;
    private volatile @Nullable Installed installed;
    private volatile @Nullable Kubelet kubelet;
    private @Nullable Registered registered;

    /** What a boot from the disk runs. */
    record Installed(UnitOrder units) {}

    /** An agent that runs in the discovery image, and the hardware that it has told of. */
    private record Registered(AgentClient agent, Map<String, Object> inventory) {}

    Machine(
            BareMetalHost host,
            Supplier<@Nullable BareMetalHost> current,
            BootMedium medium,
            java.net.http.HttpClient http,
            Delays delays,
            Path root,
            Path commands,
            Consumer<String> waits) {
        this.host = host;
        this.current = current;
        this.medium = medium;
        this.http = http;
        this.delays = delays;
        this.root = root;
        this.commands = commands;
        this.waits = waits;
    }

    /** What the disk holds once it has been installed; {@code null} before. */
    @Nullable
    Installed installed() {
        return installed;
    }

    /** A later boot from the disk: no agent, the installed system alone. */
    void runInstalled(Installed disk) throws Refused, IOException, InterruptedException {
        installed = disk;
        Thread.sleep(delays.get(Delays.Of.BOOT));
        InstalledSystem system = new InstalledSystem(root, commands);
        system.rebooted();
        Kubelet unused = start(system, disk.units());
    }

    void run() throws Refused, IOException, InterruptedException {
        IgnitionConfig discovery = IgnitionConfig.of(medium.ignition(host));
        AgentClient agent = AgentClient.of(discovery, http, Hardware.id(host));
        Thread.sleep(delays.get(Delays.Of.BOOT));
        if (!register(agent)) {
            waits.accept("the service refused its registration with 409: its agent waits until the host boots again");
            new CountDownLatch(1).await();
        }
        InstallOrder order = InstallOrder.of(agent.awaitInstall());
        for (String stage : order.toReboot().subList(0, order.toReboot().size() - 1)) {
            report(agent, stage);
        }
        IgnitionConfig installed = IgnitionConfig.of(agent.installedIgnition());
        report(agent, InstallOrder.REBOOTING);
        unregister();
        Kubelet joined = boot(installed, hostname(order, installed));
        if (!order.addedLater()) {
            // From here on the controller that runs in the new cluster labels its nodes and reports for its hosts.
            joined.label(order.labels());
            reportAfterReboot(agent, order);
        }
    }

    /** A service that names no stages may take none of these either, as for a host that joins a cluster that runs. */
    private void reportAfterReboot(AgentClient agent, InstallOrder order) throws Refused, InterruptedException {
        for (String stage : order.afterReboot()) {
            try {
                report(agent, stage);
            } catch (Refused e) {
                if (order.namesStages() || isAnnotated(FAIL_ANNOTATION, stage)) {
                    throw e;
                }
                return;
            }
        }
    }

    /** That of the order; else what the installed system is given in a file; else what the host calls itself. */
    private String hostname(InstallOrder order, IgnitionConfig installed) throws Refused {
        String ordered = order.hostname();
        if (ordered != null) {
            return ordered;
        }
        for (IgnitionConfig.FileEntry file : installed.files()) {
            if (file.path().equals("/etc/hostname")) {
                return new String(file.content(), StandardCharsets.UTF_8).strip();
            }
        }
        return String.valueOf(Hardware.inventory(host).get("hostname"));
    }

    private synchronized boolean register(AgentClient agent) throws Refused, InterruptedException {
        BareMetalHost now = current.get();
        Map<String, Object> inventory = Hardware.inventory(now == null ? host : now);
        boolean taken = agent.register(inventory);
        registered = taken ? new Registered(agent, inventory) : null;
        return taken;
    }

    private synchronized void unregister() {
        registered = null;
    }

    /** Somebody worked on the hardware: the agent, if one runs, tells what it finds now. */
    synchronized void hardwareChanged() throws Refused, InterruptedException {
        BareMetalHost now = current.get();
        Registered before = registered;
        if (now == null || before == null) {
            return;
        }
        Map<String, Object> inventory = Hardware.inventory(now);
        if (!inventory.equals(before.inventory())) {
            before.agent().report(inventory);
            registered = new Registered(before.agent(), inventory);
        }
    }

    /** Starts the installed system: its units, its kubelet, and what waits for that. */
    private Kubelet boot(IgnitionConfig ignition, String hostname) throws Refused, IOException, InterruptedException {
        InstalledSystem system = new InstalledSystem(root, commands);
        UnitOrder order = UnitOrder.of(ignition);
        // The config drive lies on the disk beside the image that was written there; a live ISO writes none.
        byte[] metaData = BootMedium.isLiveIso(host) ? new byte[0] : Hardware.metaData(host, medium.metaData(host));
        system.install(ignition, hostname, metaData);
        installed = new Installed(order);
        return start(system, order);
    }

    private Kubelet start(InstalledSystem system, UnitOrder order) throws Refused, IOException, InterruptedException {
        system.run(order.beforeKubelet());
        Kubelet started = new Kubelet(system);
        kubelet = started;
        started.join(List.of(Hardware.address(host)));
        system.run(order.afterKubelet());
        return started;
    }

    private void report(AgentClient agent, String stage) throws Refused, InterruptedException {
        while (isAnnotated(HOLD_ANNOTATION, stage)) {
            Thread.sleep(LOOK_AGAIN_MILLIS);
        }
        if (isAnnotated(FAIL_ANNOTATION, stage)) {
            agent.progress("Failed", "failed at stage " + stage);
            throw new Refused(
                    "its hardware failed at stage \"" + stage + "\", as annotation " + FAIL_ANNOTATION + " asks for");
        }
        Thread.sleep(delays.get(Delays.Of.STAGE));
        agent.progress(stage, "");
    }

    private boolean isAnnotated(String annotation, String stage) {
        BareMetalHost now = current.get();
        Map<String, String> annotations = now == null ? null : now.getMetadata().getAnnotations();
        return annotations != null && stage.equals(annotations.get(annotation));
    }

    /** Takes the power away from whatever runs. */
    void off() throws IOException, InterruptedException {
        Kubelet running = kubelet;
        if (running != null) {
            running.stop();
        }
    }
}
