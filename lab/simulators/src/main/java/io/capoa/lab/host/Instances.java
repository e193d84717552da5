package io.capoa.lab.host;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.controller.Key;
import io.capoa.lab.metal3.HostHardware;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The instances of a simulated cloud: each boots its image with its user data once, and runs until it is terminated. */
public final class Instances implements AutoCloseable {

    /** {@code spec.image.format} of an instance: a disk image without a config drive. */
    public static final String CLOUD_IMAGE = "cloud";

    /** Annotation of an instance's hardware: URL of its metadata service, in the form of OpenStack's. */
    public static final String METADATA_SERVICE = "lab.capoa.io/metadata-service";

    private static final Logger LOG = LoggerFactory.getLogger(Instances.class);

    private record Running(HostBoot machine, Thread thread) {}

    private final BootMedium medium;
    private final HttpClient http;
    private final Delays delays;
    private final Path folder;
    private final Map<Key, Running> running = new ConcurrentHashMap<>();
    private final Map<Key, String> failures = new ConcurrentHashMap<>();

    /**
     * No instance runs yet.
     *
     * @param client of the user that reads user data; closed by the caller
     * @param folder of the instances' file systems, used only by this class
     * @param trust TLS context for assisted-service; empty for the system's CAs
     */
    public Instances(KubernetesClient client, Delays delays, Path folder, Optional<SSLContext> trust)
            throws IOException {
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        trust.ifPresent(builder::sslContext);
        this.http = builder.build();
        this.medium = new BootMedium(client, http);
        this.delays = delays;
        this.folder = folder.toAbsolutePath();
        InstalledSystem.writeCommands(this.folder.resolve("bin"));
    }

    /** Address of the hardware in its network. */
    public static String address(BareMetalHost hardware) {
        return HostHardware.address(hardware);
    }

    /** Starts the instance unless it runs. */
    public void run(Key key, BareMetalHost hardware) {
        running.computeIfAbsent(key, absent -> {
            Path root = folder.resolve(key.namespace()).resolve(key.name());
            HostBoot machine = new HostBoot(
                    hardware,
                    () -> hardware,
                    medium,
                    http,
                    delays,
                    root,
                    folder.resolve("bin"),
                    why -> failed(key, why));
            return new Running(
                    machine, Thread.ofVirtual().name("instance-" + key).start(() -> boot(key, machine)));
        });
    }

    /** Powers the instance off for good; returns when it is off. */
    public void terminate(Key key) throws IOException, InterruptedException {
        Running gone = running.remove(key);
        if (gone != null) {
            gone.thread().interrupt();
            gone.thread().join();
            gone.machine().off();
        }
    }

    /** Whether the instance has been started and not been terminated. */
    public boolean isRunning(Key key) {
        return running.containsKey(key);
    }

    /** Why the last boot failed. */
    public Optional<String> failure(String namespace, String name) {
        return Optional.ofNullable(failures.get(new Key(namespace, name)));
    }

    private void boot(Key key, HostBoot machine) {
        try {
            machine.run();
            LOG.info("instance {} has joined its cluster", key);
        } catch (Refused e) {
            failed(key, String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException e) {
            if (!Thread.currentThread().isInterrupted()) {
                failed(key, e.toString());
            }
        } catch (InterruptedException e) {
            LOG.debug("instance {} was terminated", key);
        }
    }

    private void failed(Key key, String why) {
        failures.put(key, why);
        LOG.warn("instance {} failed: {}", key, why);
    }

    @Override
    public void close() {
        running.values().forEach(instance -> instance.thread().interrupt());
        http.shutdownNow();
    }
}
