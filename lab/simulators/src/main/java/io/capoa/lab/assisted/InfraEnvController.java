package io.capoa.lab.assisted;

import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.NMStateConfig;
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
    private final Caches.Cache<NMStateConfig> network;
    private final Backend backend;
    private final PullSecretChecks pullSecrets;
    private final Writes writes;
    private final Owned owned;
    private final ServiceApi api;
    private final Delays delays;
    private final boolean imageService;
    private final Map<String, Published> published = new ConcurrentHashMap<>();
    private final Map<String, Media> media = new ConcurrentHashMap<>();
    private final Map<String, Change> changes = new ConcurrentHashMap<>();
    private final Map<String, Duration> pauses = new ConcurrentHashMap<>();

    /**
     * The media of an InfraEnv. With local authentication every image has a URL of its own; otherwise the URL depends on
     * the version alone, and with it the time of creation.
     *
     * @param urls fields of its status
     */
    private record Media(String version, Map<String, Object> urls) {}

    /** A change of content that is not taken over yet. */
    private record Change(DiscoveryContent content, Instant since) {}

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
        this.network = caches.ofAllNamespaces(NMStateConfig.class);
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
        Backend.InfraEnvRecord known = backend.infraEnv(id).orElse(null);
        DiscoveryContent before = known == null ? null : known.content();
        DiscoveryContent content = DiscoveryContent.of(infraEnv, network.list(), before);
        try {
            if (known == null && cluster != null && content.text("osImageVersion") != null) {
                throw new IOException("spec.osImageVersion cannot be set together with spec.clusterRef");
            }
            content.check();
            String secret = known != null
                    ? known.pullSecret()
                    : pullSecrets.read(
                            infraEnv.getMetadata().getNamespace(),
                            Fields.string(infraEnv, "spec", "pullSecretRef", "name"));
            if (!content.equals(before)) {
                Duration left = delays.in(infraEnv.getMetadata().getNamespace())
                        .get(Delays.Of.INFRAENV)
                        .minus(Duration.between(since(infraEnv, id, content, known == null), Instant.now()));
                if (left.isPositive()) {
                    return left;
                }
                changes.remove(id);
                makeMedia(id, content, cluster, known == null ? infraEnv : null);
                backend.accept(new Backend.InfraEnvRecord(id, Key.of(infraEnv), secret, content));
            }
            publish(infraEnv, id, ServiceCondition.yes("ImageCreated", "InfraEnvAvailable", "Image has been created"));
            return null;
        } catch (PullSecretChecks.Unusable | IOException e) {
            // Without the image service nothing tells of it.
            if (imageService) {
                publish(
                        infraEnv,
                        id,
                        ServiceCondition.no(
                                "ImageCreated", "ImageCreationError", "Failed to create image: " + e.getMessage()));
            }
            return e instanceof PullSecretChecks.Unusable ? AGAIN : null;
        }
    }

    private Instant since(InfraEnv infraEnv, String id, DiscoveryContent content, boolean isNew) {
        return isNew
                ? Instant.parse(infraEnv.getMetadata().getCreationTimestamp())
                : changes.compute(
                                id,
                                (i, change) ->
                                        change != null && change.content().equals(content)
                                                ? change
                                                : new Change(content, Instant.now()))
                        .since();
    }

    private void publish(InfraEnv infraEnv, String id, ServiceCondition imageCreated) {
        Published log = published.computeIfAbsent(id, i -> new Published());
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("conditions", log.conditions(List.of(imageCreated)));
        status.put(
                "agentLabelSelector",
                Map.of("matchLabels", Map.of(LABEL, infraEnv.getMetadata().getName())));
        Media made = media.get(id);
        if (made != null) {
            status.putAll(made.urls());
            if (imageCreated.status().equals("False")) {
                status.put("isoDownloadURL", null);
                status.put("createdTime", null);
            }
        }
        if (log.differs(status)) {
            writes.patchStatus(infraEnv, status);
            log.wrote(status);
        }
    }

    /**
     * Makes the media of the content.
     *
     * @param created the InfraEnv if it is new
     */
    private void makeMedia(String id, DiscoveryContent content, @Nullable Key cluster, @Nullable InfraEnv created) {
        String wanted = content.text("osImageVersion");
        String version = wanted == null ? minorOf(cluster) : wanted;
        Media before = media.get(id);
        if (before != null && before.version().equals(version) && !(imageService && api.authenticates())) {
            return;
        }
        Map<String, Object> urls = new LinkedHashMap<>();
        Object events = before == null ? null : before.urls().get("debugInfo");
        urls.put("debugInfo", events == null ? Map.of("eventsURL", api.infraEnvEventsUrl(id)) : events);
        if (imageService) {
            urls.put(
                    "createdTime",
                    created != null
                            ? created.getMetadata().getCreationTimestamp()
                            : Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
            urls.put("isoDownloadURL", api.isoUrl(id, version));
            urls.put(
                    "bootArtifacts",
                    Map.of(
                            "discoveryIgnitionURL", api.filesUrl(id, "discovery.ign"),
                            "ipxeScript", api.filesUrl(id, "ipxe-script"),
                            "kernel", api.url() + "/boot-artifacts/kernel?arch=x86_64&version=" + version,
                            "rootfs", api.url() + "/boot-artifacts/rootfs?arch=x86_64&version=" + version,
                            "initrd", api.url() + "/images/" + id + "/pxe-initrd?arch=x86_64&version=" + version));
        }
        media.put(id, new Media(version, urls));
    }

    /** The version of the image by default: that of the installation, or that of the newest image. */
    private String minorOf(@Nullable Key cluster) {
        ClusterRecord known = cluster == null ? null : backend.cluster(cluster);
        return known == null || known.minor.isEmpty() ? NEWEST : known.minor;
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
        media.remove(id);
        changes.remove(id);
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
