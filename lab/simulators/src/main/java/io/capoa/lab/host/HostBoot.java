package io.capoa.lab.host;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.metal3.HostHardware;
import io.capoa.lab.workload.MachineConfigRelease;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One boot of one host, from power-on until it has joined its cluster or failed. */
final class HostBoot {

    /** Annotation with the stage in which the host fails. */
    static final String FAIL_ANNOTATION = "lab.capoa.io/fail";

    /** Annotation with the stage before which the host pauses. */
    static final String HOLD_ANNOTATION = "lab.capoa.io/hold";

    private static final Pattern MINOR = Pattern.compile("4\\.(\\d+)");

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

    /** The system on the disk. */
    record Installed(UnitOrder units) {}

    /** A running agent, what it has reported, and the names that it was asked to resolve. */
    private record Registered(
            AgentClient agent, Map<String, Object> inventory, List<String> domains, Map<String, Object> resolutions) {}

    HostBoot(
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
        this.delays = delays.in(host.getMetadata().getNamespace());
        this.root = root;
        this.commands = commands;
        this.waits = waits;
    }

    /** The installed system; {@code null} before the installation. */
    @Nullable
    Installed installed() {
        return installed;
    }

    /** Boots the installed system from the disk, without an agent. */
    void runInstalled(Installed disk) throws Refused, IOException, InterruptedException {
        installed = disk;
        Thread.sleep(delays.get(Delays.Of.BOOT));
        InstalledSystem system = new InstalledSystem(root, commands);
        system.rebooted();
        Kubelet unused = start(system, disk.units());
    }

    void run() throws Refused, IOException, InterruptedException {
        BootMedium.Content booted = medium.read(host);
        IgnitionConfig discovery = IgnitionConfig.of(booted.ignition());
        AgentClient agent = AgentClient.of(discovery, http, HostHardware.id(host));
        Thread.sleep(delays.get(Delays.Of.BOOT));
        if (!register(agent)) {
            waits.accept("the service refused its registration with 409: its agent waits until the host boots again");
            new CountDownLatch(1).await();
        }
        InstallOrder order = InstallOrder.of(agent.awaitInstall(names -> resolve(agent, names)));
        for (String stage : order.toReboot().subList(0, order.toReboot().size() - 1)) {
            report(agent, stage);
        }
        IgnitionConfig installed = IgnitionConfig.of(agent.installedIgnition());
        report(agent, InstallOrder.REBOOTING);
        unregister();
        requireRelease(installed, booted.release());
        Kubelet joined = boot(installed, hostname(order, installed));
        if (!order.addedLater()) {
            // From here on the controller in the new cluster labels Nodes and reports for hosts.
            joined.label(order.labels());
            reportAfterReboot(agent, order);
        }
    }

    /**
     * Errors are ignored if the instruction had no stages: the service may reject these for a host that joins a running
     * cluster.
     */
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

    /**
     * Fails if the cluster runs a newer minor release than the operating system that was installed: its machine-config
     * server writes ignition that an older one need not understand. Real hosts tolerate some releases, none of which is
     * guaranteed.
     */
    private static void requireRelease(IgnitionConfig installed, String release) throws Refused, IOException {
        for (IgnitionConfig.FileEntry file : installed.files()) {
            if (file.path().equals(MachineConfigRelease.PATH)) {
                String cluster = MachineConfigRelease.minor(file.content());
                if (!release.isEmpty() && minor(release) < minor(cluster)) {
                    throw new Refused("its live ISO has the operating system of release " + release
                            + ", which does not boot with the ignition of a cluster that runs " + cluster);
                }
            }
        }
    }

    /** The minor number of a version such as {@code 4.20} or {@code 4.20.3}; zero for any other text. */
    private static int minor(String version) {
        Matcher matcher = MINOR.matcher(version);
        return matcher.lookingAt() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    /** The hostname of the instruction, else of the installed system's file, else the host's own. */
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
        return String.valueOf(ReportedHardware.inventory(host).get("hostname"));
    }

    private synchronized boolean register(AgentClient agent) throws Refused, InterruptedException {
        BareMetalHost now = current.get();
        Map<String, Object> inventory = ReportedHardware.inventory(now == null ? host : now);
        boolean taken = agent.register(inventory);
        registered = taken ? new Registered(agent, inventory, List.of(), Map.of()) : null;
        return taken;
    }

    private synchronized void resolve(AgentClient agent, List<String> names) throws Refused, InterruptedException {
        BareMetalHost now = current.get();
        Registered before = registered;
        Map<String, Object> resolutions = ReportedHardware.resolutions(now == null ? host : now, names);
        agent.reportDomains(resolutions);
        registered = before == null ? null : new Registered(agent, before.inventory(), names, resolutions);
    }

    private synchronized void unregister() {
        registered = null;
    }

    /** The hardware has changed: a running agent reports it. */
    synchronized void hardwareChanged() throws Refused, InterruptedException {
        BareMetalHost now = current.get();
        Registered before = registered;
        if (now == null || before == null) {
            return;
        }
        Map<String, Object> inventory = ReportedHardware.inventory(now);
        if (!inventory.equals(before.inventory())) {
            before.agent().report(inventory);
        }
        Map<String, Object> resolutions =
                before.domains().isEmpty() ? before.resolutions() : ReportedHardware.resolutions(now, before.domains());
        if (!resolutions.equals(before.resolutions())) {
            before.agent().reportDomains(resolutions);
        }
        registered = new Registered(before.agent(), inventory, before.domains(), resolutions);
    }

    /** Starts the installed system: units, kubelet, and the units after it. */
    private Kubelet boot(IgnitionConfig ignition, String hostname) throws Refused, IOException, InterruptedException {
        InstalledSystem system = new InstalledSystem(root, commands);
        UnitOrder order = UnitOrder.of(ignition);
        byte[] metaData =
                BootMedium.hasConfigDrive(host) ? ReportedHardware.metaData(host, medium.metaData(host)) : new byte[0];
        system.install(ignition, hostname, metaData);
        Map<String, String> annotations = host.getMetadata().getAnnotations();
        String service = annotations == null ? null : annotations.get(Instances.METADATA_SERVICE);
        if (service != null) {
            system.metadataService(service);
        }
        installed = new Installed(order);
        return start(system, order);
    }

    private Kubelet start(InstalledSystem system, UnitOrder order) throws Refused, IOException, InterruptedException {
        system.run(order.beforeKubelet());
        Kubelet started = new Kubelet(system);
        kubelet = started;
        started.join(List.of(HostHardware.address(host)));
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
                    "its hardware failed at stage \"" + stage + "\", as requested by annotation " + FAIL_ANNOTATION);
        }
        Thread.sleep(delays.get(Delays.Of.STAGE));
        agent.progress(stage, "");
    }

    private boolean isAnnotated(String annotation, String stage) {
        BareMetalHost now = current.get();
        Map<String, String> annotations = now == null ? null : now.getMetadata().getAnnotations();
        return annotations != null && stage.equals(annotations.get(annotation));
    }

    /** Powers the host off. */
    void off() throws IOException, InterruptedException {
        Kubelet running = kubelet;
        if (running != null) {
            running.stop();
        }
    }
}
