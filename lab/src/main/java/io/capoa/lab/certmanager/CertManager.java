package io.capoa.lab.certmanager;

import io.capoa.lab.actors.Caches;
import io.capoa.lab.actors.Gate;
import io.capoa.lab.actors.Key;
import io.capoa.lab.actors.Loop;
import io.capoa.lab.actors.Writes;
import io.capoa.lab.cluster.CustomResourceDefinitions;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.Manifests;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The part of cert-manager that providers need: self-signed issuers, certificates, CA injection. */
public final class CertManager implements AutoCloseable {

    static final ResourceDefinitionContext CERTIFICATE = kind("Certificate", "certificates", true);
    static final ResourceDefinitionContext ISSUER = kind("Issuer", "issuers", true);
    static final ResourceDefinitionContext CLUSTER_ISSUER = kind("ClusterIssuer", "clusterissuers", false);

    private final KubernetesClient client;
    private final Caches caches;
    private final List<Loop> loops;

    private CertManager(KubernetesClient client) {
        this.client = client;
        this.caches = new Caches(client);
        Writes writes = new Writes(client, caches);
        Gate gate = new Gate();
        var secrets = caches.labelled(Secret.class, CertificateSecret.LABEL);
        var certificates = caches.open(CERTIFICATE);
        var issuers = caches.open(ISSUER);
        var clusterIssuers = caches.open(CLUSTER_ISSUER);
        Issuers known = new Issuers(writes, issuers, clusterIssuers);
        CertificateController issuing = new CertificateController(client, writes, known, certificates, secrets);
        Injection injection = new Injection(client, certificates, secrets);

        Loop issuerLoop =
                new Loop("issuers", gate.behind(known::report)).watch(issuers).watch(clusterIssuers);
        Loop certificateLoop = new Loop("certificates", gate.behind(issuing::work))
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
        Loop injectionLoop = new Loop("ca-injection", gate.behind(injection::work));
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
        var definitions = cluster.admin().apiextensions().v1().customResourceDefinitions();
        List<GenericKubernetesResource> missing = definitions().stream()
                .filter(definition ->
                        definitions.withName(definition.getMetadata().getName()).get() == null)
                .toList();
        new CustomResourceDefinitions(cluster.admin()).install(missing);
        cluster.empower(KnownUsers.CERT_MANAGER);
        return new CertManager(cluster.clientOf(KnownUsers.CERT_MANAGER));
    }

    private static List<GenericKubernetesResource> definitions() {
        try (InputStream in = CertManager.class.getResourceAsStream("crds.yaml")) {
            return Manifests.parse(
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
        loops.forEach(Loop::close);
        caches.close();
        client.close();
    }
}
