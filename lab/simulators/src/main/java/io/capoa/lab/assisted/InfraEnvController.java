package io.capoa.lab.assisted;

import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.Writes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Reconciles InfraEnvs: publishes their URLs once their cluster is registered, and deletes them with their hosts. */
final class InfraEnvController {

    /** Of the images that the service has. */
    private static final String NEWEST = "4.21";

    static final String LABEL = "infraenvs.agent-install.openshift.io";
    /** Requeue delay for a missing or invalid Secret, which is not watched. */
    private static final Duration AGAIN = Duration.ofSeconds(1);
    /** Initial back-off of a blocked deletion, which doubles each time. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

    private final Caches.Cache<InfraEnv> infraEnvs;
    private final Caches.Cache<ClusterDeployment> deployments;
    private final Backend backend;
    private final PullSecretChecks pullSecrets;
    private final Writes writes;
    private final Owned owned;
    private final ServiceApi api;
    private final Delays delays;
    private final boolean imageService;
    private final Map<String, Published> published = new ConcurrentHashMap<>();
    private final Map<String, Map<String, Object>> urls = new ConcurrentHashMap<>();
    private final Map<String, String> images = new ConcurrentHashMap<>();
    private final Map<String, String> times = new ConcurrentHashMap<>();
    private final Map<String, Duration> pauses = new ConcurrentHashMap<>();

    InfraEnvController(
            Caches caches,
            Backend backend,
            PullSecretChecks pullSecrets,
            Writes writes,
            ServiceApi api,
            Delays delays,
            boolean imageService) {
        this.infraEnvs = caches.of(InfraEnv.class);
        this.deployments = caches.of(ClusterDeployment.class);
        this.backend = backend;
        this.pullSecrets = pullSecrets;
        this.writes = writes;
        this.owned = new Owned(writes);
        this.api = api;
        this.delays = delays;
        this.imageService = imageService;
    }

    @Nullable
    Duration work(Key key) {
        InfraEnv infraEnv = infraEnvs.get(key);
        if (infraEnv == null) {
            return null;
        }
        String id = infraEnv.getMetadata().getUid();
        if (Owned.isDeleting(infraEnv)) {
            return delete(infraEnv, id);
        }
        owned.ensure(infraEnv, Owned.INFRA_ENV_FINALIZER);
        Key cluster = clusterOf(infraEnv);
        if (cluster != null && !isAlive(deployments.get(cluster))) {
            publish(
                    infraEnv,
                    id,
                    ServiceCondition.unknown(
                            "ImageCreated",
                            "MissingClusterDeployment",
                            "Failed to get ClusterDeployment resource: ClusterDeployment " + cluster + " not found"));
            return null;
        }
        if (cluster != null && backend.cluster(cluster) == null) {
            publish(
                    infraEnv,
                    id,
                    ServiceCondition.unknown(
                            "ImageCreated", "MissingClusterDeployment", "cluster " + cluster + " is not registered"));
            return null;
        }
        return accept(infraEnv, id, cluster);
    }

    private @Nullable Duration accept(InfraEnv infraEnv, String id, @Nullable Key cluster) {
        boolean known = backend.infraEnv(id).isPresent();
        try {
            if (!known && cluster != null && Fields.string(infraEnv, "spec", "osImageVersion") != null) {
                throw new IOException("spec.osImageVersion cannot be set together with spec.clusterRef");
            }
            String override = Fields.string(infraEnv, "spec", "ignitionConfigOverride");
            if (override != null) {
                IgnitionMaps.parseOverride(override);
            }
            String keys = Fields.string(infraEnv, "spec", "sshAuthorizedKey");
            String problem = keys == null ? "" : SshKeys.problem(keys);
            if (!problem.isEmpty()) {
                throw new IOException(problem);
            }
            if (!known) {
                String secret = pullSecrets.read(
                        infraEnv.getMetadata().getNamespace(),
                        Fields.string(infraEnv, "spec", "pullSecretRef", "name"));
                Duration left = delays.get(Delays.Of.INFRAENV)
                        .minus(Duration.between(
                                Instant.parse(infraEnv.getMetadata().getCreationTimestamp()), Instant.now()));
                if (left.isPositive()) {
                    return left;
                }
                backend.accept(new Backend.InfraEnvRecord(id, Key.of(infraEnv), secret));
            }
            publish(infraEnv, id, ServiceCondition.yes("ImageCreated", "InfraEnvAvailable", "Image has been created"));
            return null;
        } catch (PullSecretChecks.Unusable | IOException e) {
            publish(
                    infraEnv,
                    id,
                    ServiceCondition.no(
                            "ImageCreated", "ImageCreationError", "Failed to create image: " + e.getMessage()));
            return e instanceof PullSecretChecks.Unusable ? AGAIN : null;
        }
    }

    private void publish(InfraEnv infraEnv, String id, ServiceCondition imageCreated) {
        Published log = published.computeIfAbsent(id, i -> new Published());
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("conditions", log.conditions(List.of(imageCreated)));
        status.put(
                "agentLabelSelector",
                Map.of("matchLabels", Map.of(LABEL, infraEnv.getMetadata().getName())));
        if (backend.infraEnv(id).isPresent()) {
            String minor = minorOf(clusterOf(infraEnv));
            status.putAll(urls.computeIfAbsent(id, i -> urls(i, minor)));
            if (imageService) {
                status.put("createdTime", created(infraEnv, id));
            }
            // Each OS version has its own image and URL.
            String version = Fields.string(infraEnv, "spec", "osImageVersion");
            if (imageService && version != null) {
                status.put("isoDownloadURL", images.computeIfAbsent(id + "/" + version, k -> api.isoUrl(id, version)));
            }
        }
        if (log.differs(status)) {
            writes.patchStatus(infraEnv, status);
            log.wrote(status);
        }
    }

    /** Creation time of the image, which changes with each generation of the InfraEnv. */
    private String created(InfraEnv infraEnv, String id) {
        Long generation = infraEnv.getMetadata().getGeneration();
        String key = id + "/" + generation;
        return times.computeIfAbsent(
                key,
                k -> generation == null || generation == 1
                        ? infraEnv.getMetadata().getCreationTimestamp()
                        : Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /** The version of the image by default: that of the installation, or that of the newest image. */
    private String minorOf(@Nullable Key cluster) {
        ClusterRecord known = cluster == null ? null : backend.cluster(cluster);
        return known == null || known.minor.isEmpty() ? NEWEST : known.minor;
    }

    private Map<String, Object> urls(String id, String version) {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("debugInfo", Map.of("eventsURL", api.infraEnvEventsUrl(id)));
        if (imageService) {
            made.put("isoDownloadURL", api.isoUrl(id, version));
            made.put(
                    "bootArtifacts",
                    Map.of(
                            "discoveryIgnitionURL", api.filesUrl(id, "discovery.ign"),
                            "ipxeScript", api.filesUrl(id, "ipxe-script"),
                            "kernel", api.url() + "/boot-artifacts/kernel?arch=x86_64&version=" + version,
                            "rootfs", api.url() + "/boot-artifacts/rootfs?arch=x86_64&version=" + version,
                            "initrd", api.url() + "/images/" + id + "/pxe-initrd?arch=x86_64&version=" + version));
        }
        return made;
    }

    /** Deletes it with its hosts; older releases wait while one of these is bound and not installed. */
    private @Nullable Duration delete(InfraEnv infraEnv, String id) {
        boolean after = backend.behaviour.of(infraEnv.getMetadata().getNamespace()) == InfraEnvDeletion.AFTER_HOSTS;
        boolean busy = backend.hostsOfInfraEnv(id).stream()
                .anyMatch(host -> host.cluster != null && !host.state.isInstalled());
        if (after && busy) {
            return pauses.merge(
                    id,
                    FIRST_PAUSE,
                    (last, first) -> last.compareTo(LONGEST_PAUSE) < 0 ? last.multipliedBy(2) : LONGEST_PAUSE);
        }
        backend.removeInfraEnv(id);
        // Keeps the record of a host whose Agent will be garbage collected.
        backend.hostsOfInfraEnv(id).forEach(after ? backend::removeHost : HostRecord::forget);
        owned.release(infraEnv, Owned.INFRA_ENV_FINALIZER);
        published.remove(id);
        urls.remove(id);
        pauses.remove(id);
        return null;
    }

    private static boolean isAlive(@Nullable ClusterDeployment deployment) {
        return deployment != null && !Owned.isDeleting(deployment);
    }

    static @Nullable Key clusterOf(InfraEnv infraEnv) {
        String name = Fields.string(infraEnv, "spec", "clusterRef", "name");
        String namespace = Fields.string(infraEnv, "spec", "clusterRef", "namespace");
        return name == null
                ? null
                : new Key(namespace == null ? infraEnv.getMetadata().getNamespace() : namespace, name);
    }
}
