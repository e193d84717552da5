package io.capoa.lab.certmanager;

import io.capoa.lab.cluster.CustomResourceDefinitions;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.ManifestFiles;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.CacheSyncGate;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkQueue;
import io.capoa.lab.controller.Writes;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** The part of cert-manager that providers need: self-signed issuers, certificates, CA injection. */
public final class CertManager implements AutoCloseable {

    static final ResourceDefinitionContext CERTIFICATE = kind("Certificate", "certificates", true);
    static final ResourceDefinitionContext ISSUER = kind("Issuer", "issuers", true);
    static final ResourceDefinitionContext CLUSTER_ISSUER = kind("ClusterIssuer", "clusterissuers", false);

    private final KubernetesClient client;
    private final Caches caches;
    private final List<WorkQueue> loops;

    private CertManager(KubernetesClient client, Duration injecting) {
        this.client = client;
        this.caches = new Caches(client);
        Writes writes = new Writes(client, caches);
        CacheSyncGate gate = new CacheSyncGate();
        var secrets = caches.labelled(Secret.class, CertificateSecret.LABEL);
        var certificates = caches.open(CERTIFICATE);
        var issuers = caches.open(ISSUER);
        var clusterIssuers = caches.open(CLUSTER_ISSUER);
        Issuers known = new Issuers(writes, issuers, clusterIssuers);
        CertificateController issuing = new CertificateController(client, writes, known, certificates, secrets);
        Injection injection = new Injection(client, certificates, secrets, injecting);

        WorkQueue issuerLoop = new WorkQueue("issuers", gate.behind(known::report))
                .watch(issuers)
                .watch(clusterIssuers);
        WorkQueue certificateLoop = new WorkQueue("certificates", gate.behind(issuing::work))
                .watch(certificates)
                .watch(
                        secrets,
                        secret -> certificates
                                .list(secret.getMetadata().getNamespace())
                                .filter(certificate -> Objects.equals(
                                        certificate.get("spec", "secretName"),
                                        secret.getMetadata().getName()))
                                .map(Key::of)
                                .toList())
                .watch(
                        issuers,
                        issuer -> certificates
                                .list(issuer.getMetadata().getNamespace())
                                .map(Key::of)
                                .toList())
                .watch(
                        clusterIssuers,
                        issuer -> certificates.list().map(Key::of).toList());
        WorkQueue injectionLoop = new WorkQueue("ca-injection", gate.behind(injection::work));
        injection.feed(caches, injectionLoop);
        this.loops = List.of(issuerLoop, certificateLoop, injectionLoop);
        caches.start();
        gate.open();
        injection.all().forEach(injectionLoop::enqueue);
        known.all().forEach(issuerLoop::enqueue);
        certificates.list().map(Key::of).forEach(certificateLoop::enqueue);
    }

    /** Installs missing CRDs and starts the controllers. */
    public static CertManager start(TestCluster cluster) {
        return start(cluster, Duration.ZERO);
    }

    /**
     * As {@link #start(TestCluster)}.
     *
     * @param injecting time from a change of a webhook configuration or CRD until it has its CA
     */
    public static CertManager start(TestCluster cluster, Duration injecting) {
        var definitions = cluster.admin().apiextensions().v1().customResourceDefinitions();
        List<GenericKubernetesResource> missing = definitions().stream()
                .filter(definition ->
                        definitions.withName(definition.getMetadata().getName()).get() == null)
                .toList();
        new CustomResourceDefinitions(cluster.admin()).install(missing);
        cluster.empower(KnownUsers.CERT_MANAGER);
        return new CertManager(cluster.clientOf(KnownUsers.CERT_MANAGER), injecting);
    }

    private static List<GenericKubernetesResource> definitions() {
        try (InputStream in = CertManager.class.getResourceAsStream("crds.yaml")) {
            return ManifestFiles.parse(
                    new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8), "crds.yaml");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ResourceDefinitionContext kind(String kind, String plural, boolean namespaced) {
        return new ResourceDefinitionContext.Builder()
                .withGroup("cert-manager.io")
                .withVersion("v1")
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(namespaced)
                .build();
    }

    /** The generation for {@code observedGeneration}. */
    static long generation(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getGeneration(), 0L);
    }

    @Override
    public void close() {
        loops.forEach(WorkQueue::close);
        caches.close();
        client.close();
    }
}
