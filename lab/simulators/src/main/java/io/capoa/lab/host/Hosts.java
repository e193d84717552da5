package io.capoa.lab.host;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkQueue;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All simulated hosts: each is powered on while its BareMetalHost is provisioned, and boots its image. */
public final class Hosts implements AutoCloseable {

    /** Annotations of a BareMetalHost that is not reconciled, for example during {@code clusterctl move}. */
    private static final Set<String> HELD =
            Set.of("baremetalhost.metal3.io/paused", "clusterctl.cluster.x-k8s.io/delete-for-move");

    /** Annotation of a BareMetalHost: {@code off} simulates a loss of power. */
    private static final String POWER_ANNOTATION = "lab.capoa.io/power";

    /** Value of the annotation {@value HostBoot#FAIL_ANNOTATION} that breaks an installed host. */
    private static final String DEAD = "dead";

    private static final Logger LOG = LoggerFactory.getLogger(Hosts.class);

    /**
     * @param boot image and user data; others are another boot
     * @param moved whether its BareMetalHost, when last seen, was about to be moved to another management cluster
     */
    private record Powered(List<Object> boot, HostBoot machine, Thread thread, AtomicBoolean moved) {}

    /** The system installed to a host's disk after that boot; another image overwrites it. */
    private record Disk(List<Object> boot, HostBoot.Installed installed) {}

    private final Caches caches;
    private final Caches.Cache<BareMetalHost> cache;
    private final BootMedium medium;
    private final HttpClient http;
    private final Delays delays;
    private final Path folder;
    private final WorkQueue queue;
    private final Map<Key, Powered> powered = new ConcurrentHashMap<>();
    private final Map<Key, Disk> disks = new ConcurrentHashMap<>();
    private final Map<Key, String> booted = new ConcurrentHashMap<>();
    private final Map<Key, String> refusals = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();

    /**
     * Creates the hosts; {@link #start()} starts them.
     *
     * @param client of the user that reads BareMetalHosts and their user data; closed by the caller
     * @param folder folder of the hosts' file systems, used only by this class
     */
    public Hosts(KubernetesClient client, Delays delays, Path folder) {
        this(client, delays, folder, Optional.empty());
    }

    /**
     * As {@link #Hosts(KubernetesClient, Delays, Path)}.
     *
     * @param trust TLS context of the hosts for the service; empty for the system's CAs
     */
    public Hosts(KubernetesClient client, Delays delays, Path folder, Optional<SSLContext> trust) {
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        trust.ifPresent(builder::sslContext);
        this.http = builder.build();
        this.caches = new Caches(client);
        this.cache = caches.of(BareMetalHost.class);
        this.medium = new BootMedium(client, http);
        this.delays = delays;
        this.folder = folder.toAbsolutePath();
        this.queue = new WorkQueue("host", this::work);
    }

    /** Starts the informer; returns when it has synced. */
    public Hosts start() throws IOException {
        InstalledSystem.writeCommands(folder.resolve("bin"));
        queue.watch(cache);
        caches.start();
        return this;
    }

    /** Number of boots that failed because of their input. */
    public long refusals() {
        return refused.sum();
    }

    /** Reason of the last failure of a host. */
    public Optional<String> lastRefusal(String namespace, String name) {
        return Optional.ofNullable(refusals.get(new Key(namespace, name)));
    }

    /** Last boot of a host: {@code live ISO}, {@code disk image}, or {@code installed system}. */
    public Optional<String> lastBoot(String namespace, String name) {
        return Optional.ofNullable(booted.get(new Key(namespace, name)));
    }

    /** Whether a host is powered off. */
    public boolean isOff(String namespace, String name) {
        return !powered.containsKey(new Key(namespace, name));
    }

    private @Nullable Duration work(Key key) throws IOException, InterruptedException {
        BareMetalHost host = cache.get(key);
        boolean on = host != null
                && host.getMetadata().getDeletionTimestamp() == null
                && "provisioned".equals(Fields.string(host, "status", "provisioning", "state"))
                && !Boolean.FALSE.equals(Fields.any(host, "status", "poweredOn"))
                && !"off".equals(annotations(host).get(POWER_ANNOTATION))
                && !isDead(key, host);
        Powered running = powered.get(key);
        boolean gone = host == null || host.getMetadata().getDeletionTimestamp() != null;
        if (host != null && running != null) {
            running.moved().set(isHeld(host));
        }
        if (gone && running != null && running.moved().get()) {
            // Another management cluster manages the host now: it stays on.
            return null;
        }
        List<Object> boot = on && host != null ? boot(host) : List.of();
        if (running != null && !running.boot().equals(boot)) {
            powered.remove(key);
            running.thread().interrupt();
            running.thread().join();
            running.machine().off();
            HostBoot.Installed installed = running.machine().installed();
            if (installed != null) {
                disks.put(key, new Disk(running.boot(), installed));
            }
        }
        Powered still = powered.get(key);
        if (still != null) {
            try {
                still.machine().hardwareChanged();
            } catch (Refused e) {
                refuse(key, String.valueOf(e.getMessage()));
            }
        }
        if (on && host != null && still == null) {
            refusals.remove(key);
            start(key, host, boot);
        }
        return null;
    }

    /**
     * Powers a host on. While baremetal-operator manages it, it boots the live ISO each time; when it is detached, its
     * firmware boots the disk first, as the installer has configured. A disk image is written once.
     */
    private void start(Key key, BareMetalHost host, List<Object> boot) throws IOException {
        Disk disk = disks.get(key);
        if (disk != null && !disk.boot().equals(boot)) {
            disks.remove(key);
            disk = null;
        }
        Path root = folder.resolve(key.namespace()).resolve(key.name());
        boolean iso =
                BootMedium.isLiveIso(host) && !"detached".equals(Fields.string(host, "status", "operationalStatus"));
        HostBoot.Installed installed = disk == null || iso ? null : disk.installed();
        if (disk == null) {
            delete(root);
        }
        booted.put(key, installed != null ? "installed system" : iso ? "live ISO" : "disk image");
        HostBoot machine = new HostBoot(
                host, () -> cache.get(key), medium, http, delays, root, folder.resolve("bin"), why -> refuse(key, why));
        powered.put(
                key,
                new Powered(
                        boot,
                        machine,
                        Thread.ofVirtual().name("host-" + key).start(() -> run(key, machine, installed)),
                        new AtomicBoolean(isHeld(host))));
    }

    /** Whether an installed host is broken: it is on, for baremetal-operator too, but nothing runs on it. */
    private boolean isDead(Key key, BareMetalHost host) {
        Powered running = powered.get(key);
        boolean installed =
                disks.containsKey(key) || (running != null && running.machine().installed() != null);
        return installed && DEAD.equals(annotations(host).get(HostBoot.FAIL_ANNOTATION));
    }

    private static boolean isHeld(BareMetalHost host) {
        return annotations(host).keySet().stream().anyMatch(HELD::contains);
    }

    private static Map<String, String> annotations(BareMetalHost host) {
        return Objects.requireNonNullElse(host.getMetadata().getAnnotations(), Map.of());
    }

    private void run(Key key, HostBoot machine, HostBoot.@Nullable Installed installed) {
        try {
            if (installed == null) {
                machine.run();
            } else {
                machine.runInstalled(installed);
            }
            LOG.info("host {} has joined its cluster", key);
        } catch (Refused e) {
            refuse(key, String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException e) {
            if (!Thread.currentThread().isInterrupted()) {
                refuse(key, e.toString());
            }
        } catch (InterruptedException e) {
            LOG.debug("host {} lost power", key);
        }
    }

    private void refuse(Key key, String why) {
        refused.increment();
        refusals.put(key, why);
        LOG.warn("host {} failed: {}", key, why);
    }

    private static List<Object> boot(BareMetalHost host) {
        return List.of(
                host.getMetadata().getUid(),
                Fields.map(host, "spec", "image"),
                Fields.map(host, "spec", "userData"),
                Fields.map(host, "spec", "consumerRef"));
    }

    private static void delete(Path root) throws IOException {
        if (Files.exists(root)) {
            try (var files = Files.walk(root)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Override
    public void close() {
        queue.close();
        caches.close();
        powered.values().forEach(p -> p.thread().interrupt());
        http.shutdownNow();
    }
}
