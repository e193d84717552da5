package io.capoa.lab.host;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.actors.Caches;
import io.capoa.lab.actors.Delays;
import io.capoa.lab.actors.Key;
import io.capoa.lab.actors.Loop;
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

/** All simulated hosts: each has power while its BareMetalHost is provisioned, and boots what that one was given. */
public final class Hosts implements AutoCloseable {

    /** Annotations of a BareMetalHost that nobody works on, and of one that clusterctl has moved elsewhere. */
    private static final Set<String> HELD =
            Set.of("baremetalhost.metal3.io/paused", "clusterctl.cluster.x-k8s.io/delete-for-move");

    /** On a BareMetalHost: {@code off} takes the power away, whatever Metal3 believes. */
    private static final String POWER_ANNOTATION = "lab.capoa.io/power";

    private static final Logger LOG = LoggerFactory.getLogger(Hosts.class);

    /**
     * @param boot what was booted: another image or user data is another boot
     * @param moved whether its BareMetalHost, when last seen, was one that is about to be moved elsewhere
     */
    private record Powered(List<Object> boot, Machine machine, Thread thread, AtomicBoolean moved) {}

    /** What was installed to a host's disk after it had booted that; another image is written over it. */
    private record Disk(List<Object> boot, Machine.Installed installed) {}

    private final Caches caches;
    private final Caches.Cache<BareMetalHost> cache;
    private final BootMedium medium;
    private final HttpClient http;
    private final Delays delays;
    private final Path folder;
    private final Loop loop;
    private final Map<Key, Powered> powered = new ConcurrentHashMap<>();
    private final Map<Key, Disk> disks = new ConcurrentHashMap<>();
    private final Map<Key, String> booted = new ConcurrentHashMap<>();
    private final Map<Key, String> refusals = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();

    /**
     * Starts nothing yet.
     *
     * @param client of the user that reads BareMetalHosts and their user data; closed by the caller
     * @param folder for the hosts' file systems; what is below it is this class's own
     */
    public Hosts(KubernetesClient client, Delays delays, Path folder) {
        this(client, delays, folder, Optional.empty());
    }

    /**
     * As {@link #Hosts(KubernetesClient, Delays, Path)}.
     *
     * @param trust what the hosts know of the service's certificate, where that is not of a usual authority
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
        this.loop = new Loop("host", this::work);
    }

    /** Watches; returns when every BareMetalHost there is has been seen. */
    public Hosts start() throws IOException {
        InstalledSystem.writeCommands(folder.resolve("bin"));
        loop.watch(cache);
        caches.start();
        return this;
    }

    /** How many boots came to nothing because of what the host was given. */
    public long refusals() {
        return refused.sum();
    }

    /** Why a host did not go on, the last time it did not. */
    public Optional<String> lastRefusal(String namespace, String name) {
        return Optional.ofNullable(refusals.get(new Key(namespace, name)));
    }

    /** What a host has last booted from: {@code live ISO}, {@code disk image}, or {@code installed system}. */
    public Optional<String> lastBoot(String namespace, String name) {
        return Optional.ofNullable(booted.get(new Key(namespace, name)));
    }

    /** Whether a host has no power now. */
    public boolean isOff(String namespace, String name) {
        return !powered.containsKey(new Key(namespace, name));
    }

    private @Nullable Duration work(Key key) throws IOException, InterruptedException {
        BareMetalHost host = cache.get(key);
        boolean on = host != null
                && host.getMetadata().getDeletionTimestamp() == null
                && "provisioned".equals(Fields.string(host, "status", "provisioning", "state"))
                && !Boolean.FALSE.equals(Fields.any(host, "status", "poweredOn"))
                && !"off".equals(annotations(host).get(POWER_ANNOTATION));
        Powered running = powered.get(key);
        boolean gone = host == null || host.getMetadata().getDeletionTimestamp() != null;
        if (host != null && running != null) {
            running.moved().set(isHeld(host));
        }
        if (gone && running != null && running.moved().get()) {
            // The host is looked after from another management cluster now: its power stays on.
            return null;
        }
        List<Object> boot = on && host != null ? boot(host) : List.of();
        if (running != null && !running.boot().equals(boot)) {
            powered.remove(key);
            running.thread().interrupt();
            running.thread().join();
            running.machine().off();
            Machine.Installed installed = running.machine().installed();
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
     * Powers a host on. As long as baremetal-operator manages it, it boots the live ISO each time, for the ISO is what it is
     * to run; once it is detached the order of its firmware counts, in which the installer has put the disk first. A disk
     * image is written once.
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
        Machine.Installed installed = disk == null || iso ? null : disk.installed();
        if (disk == null) {
            delete(root);
        }
        booted.put(key, installed != null ? "installed system" : iso ? "live ISO" : "disk image");
        Machine machine = new Machine(
                host, () -> cache.get(key), medium, http, delays, root, folder.resolve("bin"), why -> refuse(key, why));
        powered.put(
                key,
                new Powered(
                        boot,
                        machine,
                        Thread.ofVirtual().name("host-" + key).start(() -> run(key, machine, installed)),
                        new AtomicBoolean(isHeld(host))));
    }

    private static boolean isHeld(BareMetalHost host) {
        return annotations(host).keySet().stream().anyMatch(HELD::contains);
    }

    private static Map<String, String> annotations(BareMetalHost host) {
        return Objects.requireNonNullElse(host.getMetadata().getAnnotations(), Map.of());
    }

    private void run(Key key, Machine machine, Machine.@Nullable Installed installed) {
        try {
            if (installed == null) {
                machine.run();
            } else {
                machine.runInstalled(installed);
            }
            LOG.info("host {} is part of its cluster", key);
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
        LOG.warn("host {} does not go on: {}", key, why);
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
        loop.close();
        caches.close();
        powered.values().forEach(p -> p.thread().interrupt());
        http.shutdownNow();
    }
}
