package io.capoa.lab.host;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.lab.actors.Delays;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One boot of one host, from power-on until it is part of a cluster or until it cannot go on. */
final class Machine {

    /** The stage on which a host breaks down, for trying out failures. */
    static final String FAIL_ANNOTATION = "lab.capoa.io/fail";

    /** The stage before which a host rests as long as the annotation is there. */
    static final String HOLD_ANNOTATION = "lab.capoa.io/hold";

    private static final long LOOK_AGAIN_MILLIS = 50;
    private static final String REBOOTING = "Rebooting";

    private final BareMetalHost host;
    private final Supplier<@Nullable BareMetalHost> current;
    private final BootMedium medium;
    private final java.net.http.HttpClient http;
    private final Delays delays;
    private final Path root;
    private final Path commands;
    private volatile @Nullable Kubelet kubelet;
    private @Nullable Registered registered;

    /** An agent that runs in the discovery image, and the hardware that it has told of. */
    private record Registered(AgentClient agent, Map<String, Object> inventory) {}

    Machine(
            BareMetalHost host,
            Supplier<@Nullable BareMetalHost> current,
            BootMedium medium,
            java.net.http.HttpClient http,
            Delays delays,
            Path root,
            Path commands) {
        this.host = host;
        this.current = current;
        this.medium = medium;
        this.http = http;
        this.delays = delays;
        this.root = root;
        this.commands = commands;
    }

    void run() throws Refused, IOException, InterruptedException {
        IgnitionConfig discovery = IgnitionConfig.of(medium.ignition(host));
        AgentClient agent = AgentClient.of(discovery, http, Hardware.id(host));
        Thread.sleep(delays.get(Delays.Of.BOOT));
        register(agent);
        Map<String, Object> order = agent.awaitInstall();
        List<String> stages = order.get("stages") instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
        int reboot = stages.indexOf(REBOOTING);
        if (reboot < 0) {
            throw new Refused("it was told to install without a reboot");
        }
        for (String stage : stages.subList(0, reboot)) {
            report(agent, stage);
        }
        IgnitionConfig installed = IgnitionConfig.of(agent.installedIgnition());
        report(agent, REBOOTING);
        unregister();
        Kubelet joined = boot(installed, String.valueOf(order.get("host_name")));
        if (!Boolean.TRUE.equals(order.get("day2"))) {
            // From here on the controller that runs in the new cluster labels its nodes and reports for its hosts.
            joined.label(order.get("node_labels") instanceof Map<?, ?> labels ? labels : Map.of());
            for (String stage : stages.subList(reboot + 1, stages.size())) {
                report(agent, stage);
            }
        }
    }

    private synchronized void register(AgentClient agent) throws Refused, InterruptedException {
        BareMetalHost now = current.get();
        Map<String, Object> inventory = Hardware.inventory(now == null ? host : now);
        agent.register(inventory);
        registered = new Registered(agent, inventory);
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
    private Kubelet boot(IgnitionConfig installed, String hostname) throws Refused, IOException, InterruptedException {
        InstalledSystem system = new InstalledSystem(root, commands);
        UnitOrder order = UnitOrder.of(installed);
        // The config drive lies on the disk beside the image that was written there; a live ISO writes none.
        byte[] metaData = BootMedium.isLiveIso(host) ? new byte[0] : Hardware.metaData(host, medium.metaData(host));
        system.install(installed, hostname, metaData);
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
