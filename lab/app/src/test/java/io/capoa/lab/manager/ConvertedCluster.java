package io.capoa.lab.manager;

import static io.capoa.lab.manager.ManagerChild.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.controlplane.ControlPlaneProvider;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.CustomResourceDefinitions;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.PreparedClusters;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;

/** An API server with objects of the Go provider's versions, our definitions, and both managers. */
final class ConvertedCluster implements AutoCloseable {

    static final String NAMESPACE = "converted";
    static final String OACP = "openshiftassistedcontrolplanes";
    static final String OAC = "openshiftassistedconfigs";

    /** Nothing listens at the port of tcpmux. */
    private static final int CLOSED = 1;

    private final LocalCluster cluster = PreparedClusters.start();
    private final KubernetesClient admin = cluster.admin();
    private final HeldCertificate authority = new HeldCertificate.Builder()
            .certificateAuthority(0)
            .commonName("authority")
            .build();

    private final boolean shipped;
    private AuditLog.Mark managed = audit().start();
    private Path folder = Path.of("");
    private @Nullable ManagerChild bootstrap;
    private @Nullable ManagerChild controlPlane;
    private int bootstrapPort;
    private int controlPlanePort;

    ConvertedCluster() {
        this(false);
    }

    /**
     * Such a cluster.
     *
     * @param shipped whether the managers have the JVM options of their images and the limits of their Deployments
     */
    ConvertedCluster(boolean shipped) {
        this.shipped = shipped;
    }

    /** Removes the definitions of our kinds, whosever they are. */
    void removeDefinitions() throws Exception {
        new CustomResourceDefinitions(admin)
                .remove(VersionedDefinitions.released().stream()
                        .map(own -> own.getMetadata().getName())
                        .toList());
    }

    /**
     * Replaces the definitions, as an upgrade would, with objects of the older versions in the store.
     *
     * @param served whether the API server reaches the conversion webhooks
     */
    void takeOver(Path temporary, boolean served) throws Exception {
        folder = temporary;
        removeDefinitions();
        for (CustomResourceDefinition definition : VersionedDefinitions.ofTheGoProvider()) {
            definition.getSpec().setConversion(null);
            var unused = admin.resource(definition).create();
        }
        var unused = admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        createStored();
        var certificate = new HeldCertificate.Builder()
                .addSubjectAlternativeName("127.0.0.1")
                .signedBy(authority)
                .build();
        Files.writeString(folder.resolve("tls.key"), certificate.privateKeyPkcs8Pem());
        Files.writeString(folder.resolve("tls.crt"), certificate.certificatePem());
        bootstrapPort = ManagerChild.freePort();
        controlPlanePort = ManagerChild.freePort();
        managed = audit().mark();
        startManagers();
        applyDefinitions(served);
    }

    private void createStored() {
        for (String yaml : new String[] {CONFIG, TEMPLATE, CONTROL_PLANE}) {
            GenericKubernetesResource object = object(yaml);
            String plural = object.getKind().toLowerCase(Locale.ROOT) + "s";
            String version = object.getApiVersion().replaceFirst(".*/", "");
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> resources(plural, version)
                                    .inNamespace(NAMESPACE)
                                    .resource(object)
                                    .create()
                            != null);
            if (object.get("status") != null) {
                var unused = resources(plural, version)
                        .inNamespace(NAMESPACE)
                        .resource(object)
                        .updateStatus();
            }
        }
    }

    void applyDefinitions() throws Exception {
        applyDefinitions(true);
    }

    /** Applies them with the ports of the conversion webhooks, or with one at which nothing listens. */
    private void applyDefinitions(boolean served) throws Exception {
        String authorities =
                Base64.getEncoder().encodeToString(authority.certificatePem().getBytes(StandardCharsets.UTF_8));
        for (CustomResourceDefinition own : VersionedDefinitions.released()) {
            int port = own.getSpec().getGroup().startsWith("bootstrap") ? bootstrapPort : controlPlanePort;
            var applied = admin.resource(VersionedDefinitions.convertedAt(own, served ? port : CLOSED, authorities))
                    .forceConflicts()
                    .serverSideApply();
        }
    }

    /** Has the managers validate, as the configurations in {@code config/} say. */
    void configureAdmission() throws Exception {
        String authorities =
                Base64.getEncoder().encodeToString(authority.certificatePem().getBytes(StandardCharsets.UTF_8));
        for (String provider : new String[] {"bootstrap", "controlplane"}) {
            int port = provider.equals("bootstrap") ? bootstrapPort : controlPlanePort;
            var applied = admin.resource(AdmissionConfigurations.at("https://127.0.0.1:" + port, provider, authorities))
                    .forceConflicts()
                    .serverSideApply();
        }
    }

    static String newestOlder(CustomResourceDefinition definition) {
        return definition.getSpec().getGroup().startsWith("bootstrap") ? "v1alpha2" : "v1alpha3";
    }

    /** The present CRDs of kinds with older versions. */
    List<CustomResourceDefinition> applied() throws Exception {
        return VersionedDefinitions.ofTheGoProvider().stream()
                .map(definition -> admin.resource(definition).get())
                .toList();
    }

    void awaitStored(String version) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(applied())
                        .as("%s%n%s", log(bootstrap), log(controlPlane))
                        .extracting(definition -> definition.getStatus().getStoredVersions())
                        .allSatisfy(versions ->
                                assertThat(versions).singleElement().asString().startsWith(version)));
    }

    /** How many requests of a manager for all objects of a kind have failed since the definitions were replaced. */
    long failedLists(String user, String plural) {
        return audit().since(managed).stream()
                .filter(entry -> entry.user().equals(user)
                        && entry.verb().equals("list")
                        && entry.resource().equals(plural)
                        && entry.code() >= HttpURLConnection.HTTP_INTERNAL_ERROR)
                .count();
    }

    /** The writes of a manager to objects of a kind since the definitions were replaced. */
    List<AuditEntry> writes(String user, String plural) {
        return audit().since(managed).stream()
                .filter(entry -> entry.user().equals(user)
                        && entry.isWrite()
                        && entry.resource().equals(plural))
                .toList();
    }

    private AuditLog audit() {
        return cluster.auditLog().orElseThrow();
    }

    String logs() throws Exception {
        return log(bootstrap) + log(controlPlane);
    }

    private static String log(@Nullable ManagerChild manager) throws Exception {
        return manager == null ? "" : manager.log();
    }

    void dropOlderVersions() throws Exception {
        for (CustomResourceDefinition own : applied()) {
            update(own, spec -> {
                var versions = new ArrayList<>(spec.getVersions());
                versions.removeIf(version -> !version.getName().equals("v1beta1"));
                spec.setVersions(versions);
                spec.setConversion(null);
            });
        }
    }

    /** Serves the older versions or not, and waits until the API server does so. */
    void serveOlderVersions(boolean served) throws Exception {
        for (CustomResourceDefinition own : applied()) {
            update(
                    own,
                    spec -> spec.getVersions().stream()
                            .filter(version -> !version.getName().equals("v1beta1"))
                            .forEach(version -> version.setServed(served)));
            String path = "/apis/%s/%s".formatted(own.getSpec().getGroup(), newestOlder(own));
            await().atMost(PATIENCE)
                    .until(() -> String.valueOf(admin.raw(path))
                                    .contains("\"name\":\""
                                            + own.getSpec().getNames().getPlural() + "\"")
                            == served);
        }
    }

    /** How many conversions the API server has asked the webhook for, of objects of a kind, into a version. */
    long conversions(String plural, String version) {
        Pattern count = Pattern.compile(
                "apiserver_crd_conversion_webhook_duration_seconds_count\\{crd_name=\"%s\\.[^}]*to_version=\"%s\"} (\\d+)"
                        .formatted(plural, version));
        return count.matcher(admin.raw("/metrics"))
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    /** Changes a definition as it is at present; the API server and the managers write its status at the same time. */
    void update(CustomResourceDefinition definition, Consumer<CustomResourceDefinitionSpec> change) {
        await().atMost(PATIENCE)
                .ignoreExceptionsMatching(ConvertedCluster::isConflict)
                .until(() -> {
                    CustomResourceDefinition present =
                            admin.resource(definition).get();
                    change.accept(present.getSpec());
                    return admin.resource(present).update() != null;
                });
    }

    /** Replaces object "kept" as it is at present in a version, as a client does that knows this version alone. */
    void update(String plural, String version, Consumer<GenericKubernetesResource> change) {
        await().atMost(PATIENCE)
                .ignoreExceptionsMatching(ConvertedCluster::isConflict)
                .until(() -> {
                    GenericKubernetesResource present = read(plural, version);
                    change.accept(present);
                    return resources(plural, version)
                                    .inNamespace(NAMESPACE)
                                    .resource(present)
                                    .update()
                            != null;
                });
    }

    private static boolean isConflict(Throwable failure) {
        return failure instanceof KubernetesClientException refused
                && refused.getCode() == HttpURLConnection.HTTP_CONFLICT;
    }

    void startManagers() throws Exception {
        String certificates = "--webhook-cert-dir=" + folder;
        bootstrap = start(
                BootstrapProvider.class,
                KnownUsers.BOOTSTRAP_PROVIDER,
                folder,
                "--webhook-port=" + bootstrapPort,
                certificates);
        controlPlane = start(
                ControlPlaneProvider.class,
                KnownUsers.CONTROL_PLANE_PROVIDER,
                folder,
                "--webhook-port=" + controlPlanePort,
                certificates);
    }

    /** Starts another manager, closed by the caller. */
    ManagerChild start(Class<?> provider, String user, Path logs, String... flags) throws Exception {
        return shipped
                ? ManagerChild.startShipped(provider, logs, cluster.kubeconfigOf(user), flags)
                : ManagerChild.startProvider(provider, logs, cluster.kubeconfigOf(user), flags);
    }

    void stopManagers() {
        if (bootstrap != null) {
            bootstrap.close();
        }
        if (controlPlane != null) {
            controlPlane.close();
        }
    }

    void awaitReadable(String plural, String version) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(read(plural, version)).isNotNull());
    }

    GenericKubernetesResource read(String plural, String version) {
        return resources(plural, version)
                .inNamespace(NAMESPACE)
                .withName("kept")
                .require();
    }

    MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            resources(String plural, String version) {
        return admin.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                .withGroup(plural.equals(OACP) ? "controlplane.cluster.x-k8s.io" : "bootstrap.cluster.x-k8s.io")
                .withVersion(version)
                .withPlural(plural)
                .withNamespaced(true)
                .build());
    }

    static GenericKubernetesResource object(String yaml) {
        return Serialization.unmarshal(yaml, GenericKubernetesResource.class);
    }

    KubernetesClient admin() {
        return admin;
    }

    /** Where the managers serve webhooks, the bootstrap provider's first. */
    List<String> webhooks() {
        return List.of("https://127.0.0.1:" + bootstrapPort, "https://127.0.0.1:" + controlPlanePort);
    }

    /** Signs the certificate of the webhooks. */
    X509Certificate authority() {
        return authority.certificate();
    }

    boolean isRunning() {
        return bootstrap != null && controlPlane != null && bootstrap.isRunning() && controlPlane.isRunning();
    }

    boolean isReady() throws Exception {
        return bootstrap != null && controlPlane != null && bootstrap.isReady() && controlPlane.isReady();
    }

    @Override
    public void close() {
        stopManagers();
        cluster.close();
    }

    static final String CONFIG = """
            apiVersion: bootstrap.cluster.x-k8s.io/v1alpha2
            kind: OpenshiftAssistedConfig
            metadata: {name: kept, annotations: {cluster.x-k8s.io/paused: ""}}
            spec:
              cpuArchitecture: arm64
              preBootstrapCommands: [/usr/bin/true]
              nodeRegistration: {name: $METADATA_NAME}
            status:
              dataSecretName: kept
              initialization: {dataSecretCreated: true}
              v1beta1Conditions:
                - {type: DataSecretAvailable, status: "True", lastTransitionTime: "2026-01-02T03:04:05Z"}
            """;

    private static final String TEMPLATE = """
            apiVersion: bootstrap.cluster.x-k8s.io/v1alpha2
            kind: OpenshiftAssistedConfigTemplate
            metadata: {name: kept}
            spec: {template: {spec: {sshAuthorizedKey: ""}}}
            """;

    /** Claims to lack fields: other providers write that, and so can tenants. */
    static final String PLANTED = """
            apiVersion: controlplane.cluster.x-k8s.io/v1alpha3
            kind: OpenshiftAssistedControlPlane
            metadata:
              name: planted
              annotations:
                cluster.x-k8s.io/conversion-data: '{"apiVersion":"controlplane.cluster.x-k8s.io/v1beta1","tooLarge":true}'
            spec:
              distributionVersion: 4.20.0
              replicas: 7
              machineTemplate:
                infrastructureRef:
                  {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: metal}
            """;

    /** The older schemas do not ask for a spec. */
    static final String EMPTY = """
            apiVersion: controlplane.cluster.x-k8s.io/v1alpha3
            kind: OpenshiftAssistedControlPlane
            metadata: {name: empty}
            """;

    static final String CONTROL_PLANE = """
            apiVersion: controlplane.cluster.x-k8s.io/v1alpha3
            kind: OpenshiftAssistedControlPlane
            metadata: {name: kept, annotations: {cluster.x-k8s.io/paused: ""}}
            spec:
              distributionVersion: 4.20.0
              replicas: 3
              machineTemplate:
                infrastructureRef:
                  {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: metal}
              config:
                baseDomain: example.com
                apiVIPs: [192.0.2.1]
                ingressVIPs: [192.0.2.2]
              openshiftAssistedConfigSpec: {nodeRegistration: {name: $METADATA_NAME}}
            """;
}
