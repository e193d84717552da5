package io.capoa.lab.hostile;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.controlplane.ControlPlaneProvider;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.LocalClusterOnly;
import io.capoa.lab.cluster.PreparedClusters;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.manager.ManagerChild;
import io.capoa.lab.registry.ReleaseRegistry;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Every text field of our kinds, and every reference and URL in third-party kinds, contains a value that would redirect
 * a request. The CRDs' rules are removed first, because objects may have been stored before them: no request is sent,
 * and a condition names the field. It follows MigrationTest, which starts both providers as well.
 */
@Tag("full")
@Tag("whole")
@Order(5)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(ManagerChild.BOTH_PROVIDERS)
@ExtendWith(LocalClusterOnly.class)
class HostileFieldsTest {

    private static final String CONTROL_PLANES = "openshiftassistedcontrolplanes.controlplane.cluster.x-k8s.io";
    private static final String CONFIGS = "openshiftassistedconfigs.bootstrap.cluster.x-k8s.io";
    private static final String OF_MACHINES = "spec.machineTemplate.spec.infrastructureRef";
    private static final String OF_ARBITER = "spec.arbiter.infrastructureRef";
    private static final String OF_HOSTS = "spec.openshiftAssistedConfigSpec.";
    private static final Duration POLL = Duration.ofMillis(500);
    private static final String REPOSITORY = "metadata.annotations." + "repository";

    private static final Map<String, String> HOSTS =
            Map.of("apiGroup", "infrastructure.cluster.x-k8s.io", "kind", "Metal3MachineTemplate", "name", "hosts");

    private static final String TRAVERSAL = "../../victim/secrets/stolen";
    private static final List<String> HOSTILE = List.of(
            TRAVERSAL, "stolen?watch=true", "?watch=true", "%2e%2e/%2e%2e/victim/secrets/stolen", "stolen\r\nX: y");

    /** Fields that become part of a request, and their name in the condition; all others are copied or compared. */
    private static final Map<String, String> IN_REQUESTS = Map.ofEntries(
            entry("spec.config.pullSecretRef.name", "spec.config.pullSecretRef.name"),
            entry("spec.config.imageRegistryRef.name", "spec.config.imageRegistryRef.name"),
            entry("spec.config.manifestsConfigMapRefs[].name", "spec.config.manifestsConfigMapRefs[].name"),
            entry(OF_MACHINES + ".apiGroup", OF_MACHINES),
            entry(OF_MACHINES + ".kind", OF_MACHINES),
            entry(OF_MACHINES + ".name", OF_MACHINES + ".name"),
            entry(OF_ARBITER + ".apiGroup", OF_ARBITER),
            entry(OF_ARBITER + ".kind", OF_ARBITER),
            entry(OF_ARBITER + ".name", OF_ARBITER + ".name"),
            entry("spec.distributionVersion", "spec.distributionVersion"),
            entry(OF_HOSTS + "cpuArchitecture", "spec.openshiftAssistedConfigSpec.cpuArchitecture"),
            entry(OF_HOSTS + "pullSecretRef.name", "spec.pullSecretRef.name"),
            entry(REPOSITORY, Annotations.RELEASE_IMAGE_REPOSITORY_OVERRIDE));

    /** Fields that resemble references or URLs but are only copied to other objects. */
    private static final Set<String> COPIED = Set.of(
            OF_HOSTS + "hostnamePolicy",
            OF_HOSTS + "installationDisk.deviceName",
            OF_HOSTS + "mirrorRegistryRef.name",
            OF_HOSTS + "proxy.httpProxy",
            OF_HOSTS + "proxy.httpsProxy",
            OF_HOSTS + "proxy.noProxy",
            OF_HOSTS + "nodeRegistration.name",
            "spec.config.proxy.httpProxy",
            "spec.config.proxy.httpsProxy",
            "spec.config.proxy.noProxy",
            "spec.config.platform.platformName",
            "spec.config.clusterName");

    private final LocalCluster cluster = PreparedClusters.start();
    private final KubernetesClient admin = cluster.admin();
    private final ReleaseRegistry registry = ReleaseRegistry.start(Delays.none());
    /** Names of the control planes by field and text. */
    private final Map<String, List<String>> subjects = new TreeMap<>();

    private int created;

    @TempDir
    Path folder = Path.of("");

    @BeforeAll
    void prepare() {
        for (String crd : List.of(CONTROL_PLANES, CONFIGS, "machines.cluster.x-k8s.io")) {
            SchemaFields.relax(admin, crd);
        }
        // Stored objects may be older than the policies.
        admin.admissionRegistration().v1().validatingAdmissionPolicyBindings().delete();
        create("apiVersion: v1\nkind: Namespace\nmetadata: {name: tenant}");
        create("apiVersion: v1\nkind: Namespace\nmetadata: {name: victim}");
        create("""
            apiVersion: v1
            kind: Secret
            metadata: {name: stolen, namespace: victim}
            stringData: {kubeconfig: victims, .dockerconfigjson: '{"auths":{"quay.io":{"auth":"YTpi"}}}'}
            """);
        create("""
            apiVersion: v1
            kind: Secret
            metadata: {name: pull-secret, namespace: tenant}
            stringData: {.dockerconfigjson: '{"auths":{"quay.io":{"auth":"YTpi"}}}'}
            """);
        create("""
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
            kind: Metal3MachineTemplate
            metadata: {name: hosts, namespace: tenant}
            spec: {template: {spec: {image: {url: 'http://images.lab.example/a', checksum: 'http://images.lab.example/b', checksumType: sha256, diskFormat: qcow2}}}}
            """);
        cluster("prod");
    }

    private void cluster(String name) {
        create("""
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Cluster
            metadata: {name: %s, namespace: tenant}
            spec:
              controlPlaneEndpoint: {host: api.prod.lab.example, port: 6443}
              controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: OpenshiftAssistedControlPlane, name: base}
            """.formatted(name));
        status(find(Cluster.class, name), "{\"status\":{\"initialization\":{\"infrastructureProvisioned\":true}}}");
    }

    @AfterAll
    void stop() {
        registry.close();
        cluster.close();
    }

    @Test
    void noRequestLeavesForAHostileText_andAConditionNamesItsField() throws Exception {
        List<String> fields = SchemaFields.ofSpec(admin, CONTROL_PLANES);
        assertEveryFieldIsKnown(fields);
        Path conf = Files.writeString(folder.resolve("registries.conf"), registry.registriesConf());
        try (ManagerChild bootstrap = provider(BootstrapProvider.class, KnownUsers.BOOTSTRAP_PROVIDER);
                ManagerChild controlPlane = provider(
                        ControlPlaneProvider.class, KnownUsers.CONTROL_PLANE_PROVIDER, "--registries-conf=" + conf)) {
            createAll(fields);
            await("every control plane has conditions")
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(POLL)
                    .until(this::allHaveConditions);
            adoptConfigs();
            spoilTheObjectsOfOthers();

            await().atMost(Duration.ofMinutes(1))
                    .pollInterval(POLL)
                    .untilAsserted(() -> assertThat(silentFields())
                            .as("fields that no condition names")
                            .isEmpty());
            assertThat(bootstrap.isRunning() && controlPlane.isRunning()).isTrue();
        }
        assertNothingLeft();
        assertThat(admin.secrets()
                        .inNamespace("tenant")
                        .withName("prod-kubeconfig")
                        .get())
                .isNull();
    }

    private void assertEveryFieldIsKnown(List<String> fields) {
        List<String> ofHosts = fields.stream()
                .filter(field -> field.startsWith(OF_HOSTS))
                .map(field -> "spec." + field.substring(OF_HOSTS.length()))
                .toList();
        assertThat(SchemaFields.ofSpec(admin, CONFIGS))
                .as("a config has the fields that the control plane's hosts have")
                .containsExactlyElementsOf(ofHosts);
        assertThat(fields.stream()
                        .filter(field -> field.matches(".*(Ref|Refs|Proxy|[nN]ame|URL|Url|Address).*"))
                        .filter(field -> !IN_REQUESTS.containsKey(field) && !COPIED.contains(field)))
                .as("references and addresses of which this test does not know whether they become part of a request")
                .isEmpty();
    }

    private ManagerChild provider(Class<?> main, String user, String... flags) throws Exception {
        List<String> all = new ArrayList<>(List.of("--webhook-port=0"));
        all.addAll(List.of(flags));
        return ManagerChild.startProvider(main, folder, cluster.kubeconfigOf(user), all.toArray(String[]::new));
    }

    /** One control plane per field and text; fields that become part of requests get every text. */
    private void createAll(List<String> fields) {
        Map<String, Object> base = base();
        create("base", base);
        for (String field : fields) {
            for (String text : IN_REQUESTS.containsKey(field) ? HOSTILE : List.of(TRAVERSAL)) {
                create(field, SchemaFields.with(field.startsWith("spec.arbiter.") ? withArbiter() : base, field, text));
            }
        }
        for (String text : HOSTILE) {
            Map<String, Object> object = new LinkedHashMap<>(base);
            object.put("metadata", Map.of("annotations", Map.of(Annotations.RELEASE_IMAGE_REPOSITORY_OVERRIDE, text)));
            create(REPOSITORY, object);
        }
        for (int i = 0; i < HOSTILE.size(); i++) {
            create("kubeconfig", base);
            create("imageSet", base);
        }
    }

    private static Map<String, Object> withArbiter() {
        Map<String, Object> spec = new LinkedHashMap<>();
        ((Map<?, ?>) Objects.requireNonNull(base().get("spec")))
                .forEach((name, value) -> spec.put(name.toString(), value));
        spec.put("replicas", 3);
        spec.put("arbiter", Map.of("replicas", 1, "infrastructureRef", HOSTS));
        return new LinkedHashMap<>(Map.of("spec", spec));
    }

    private static Map<String, Object> base() {
        return new LinkedHashMap<>(Map.of(
                "spec",
                Map.of(
                        "distributionVersion",
                        "4.20.3",
                        "replicas",
                        1,
                        "machineTemplate",
                        Map.of("spec", Map.of("infrastructureRef", HOSTS)),
                        "config",
                        Map.of("baseDomain", "lab.example", "pullSecretRef", Map.of("name", "pull-secret")),
                        "openshiftAssistedConfigSpec",
                        Map.of("pullSecretRef", Map.of("name", "pull-secret")))));
    }

    private void create(String field, Map<String, Object> content) {
        List<String> names = subjects.computeIfAbsent(field, key -> new ArrayList<>());
        String name = field.equals("base") ? "base" : "cp" + created++;
        String owner = "prod";
        if (field.equals(OF_HOSTS + "cpuArchitecture")) {
            // With different hosts the architecture is not part of the release image's name.
            owner = name + "-alone";
            cluster(owner);
        }
        GenericKubernetesResource object =
                admin.getKubernetesSerialization().convertValue(content, GenericKubernetesResource.class);
        object.setApiVersion(HasMetadata.getApiVersion(OpenshiftAssistedControlPlane.class));
        object.setKind(HasMetadata.getKind(OpenshiftAssistedControlPlane.class));
        if (object.getMetadata() == null) {
            object.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMeta());
        }
        object.getMetadata().setName(name);
        object.getMetadata().setNamespace("tenant");
        object.getMetadata()
                .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                        .withApiVersion("cluster.x-k8s.io/v1beta2")
                        .withKind("Cluster")
                        .withName(owner)
                        .withUid(find(Cluster.class, owner).getMetadata().getUid())
                        .build()));
        try {
            HasMetadata unused = admin.resource(object).create();
            names.add(name);
        } catch (KubernetesClientException refused) {
            // Values of a wrong type cannot have been stored.
            assertThat(IN_REQUESTS).as(field + ": " + refused.getMessage()).doesNotContainKey(field);
        }
    }

    /** Acts as Cluster API core: the Machine becomes the owner of its config. */
    private void adoptConfigs() {
        for (Machine machine : list(Machine.class)) {
            String name = machine.getMetadata().getName();
            admin.resources(OpenshiftAssistedConfig.class)
                    .inNamespace("tenant")
                    .withName(name)
                    .patch(PatchContext.of(PatchType.JSON_MERGE), """
                        {"metadata":{"ownerReferences":[{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Machine","name":"%s","uid":"%s","controller":true}]}}\
                        """.formatted(
                                    name, machine.getMetadata().getUid()));
        }
    }

    /** Writes of assisted-service, Metal3 and core, with the same texts. */
    private void spoilTheObjectsOfOthers() {
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> Stream.of("kubeconfig", "imageSet")
                        .flatMap(field -> Objects.requireNonNull(subjects.get(field)).stream())
                        .forEach(name -> assertThat(find(AgentClusterInstall.class, name))
                                .as(name + ": "
                                        + admin.getKubernetesSerialization()
                                                .asJson(find(OpenshiftAssistedControlPlane.class, name)))
                                .isNotNull()));
        for (int i = 0; i < HOSTILE.size(); i++) {
            spoil(
                    "kubeconfig",
                    i,
                    "spec.clusterMetadata.adminKubeconfigSecretRef.name",
                    Map.of(
                            "clusterMetadata",
                            Map.of(
                                    "adminKubeconfigSecretRef",
                                    Map.of("name", HOSTILE.get(i)),
                                    "clusterID",
                                    "a",
                                    "infraID",
                                    "b")));
            spoil("imageSet", i, "", Map.of("imageSetRef", Map.of("name", HOSTILE.get(i))));
        }
        await("InfraEnvs")
                .atMost(Duration.ofMinutes(1))
                .until(() -> list(InfraEnv.class).size() >= 3);
        List<InfraEnv> infraEnvs = list(InfraEnv.class);
        List<String> addresses = List.of(
                "{\"isoDownloadURL\":\"file:///etc/passwd\"}",
                "{\"bootArtifacts\":{\"discoveryIgnitionURL\":\"gopher://127.0.0.1/x\",\"initrd\":\"\",\"rootfs\":\"\",\"kernel\":\"\",\"ipxeScript\":\"\"}}",
                "{\"debugInfo\":{\"eventsURL\":\"../../victim\"}}");
        for (int i = 0; i < addresses.size(); i++) {
            status(infraEnvs.get(i), "{\"status\":" + addresses.get(i) + "}");
            String config = infraEnvs.get(i).getMetadata().getName();
            await("address " + i)
                    .atMost(Duration.ofMinutes(1))
                    .until(() ->
                            conditions(OpenshiftAssistedConfig.class, config).contains("is not an http or https URL"));
        }
        Machine machine = list(Machine.class).getLast();
        merge(
                machine,
                Map.of(
                        "spec",
                        Map.of("infrastructureRef", Map.of("name", TRAVERSAL, "kind", "../x", "apiGroup", "a/../b"))));
        Metal3Machine metal3 = list(Metal3Machine.class).getFirst();
        merge(metal3, Map.of("metadata", Map.of("annotations", Map.of(Annotations.BARE_METAL_HOST, TRAVERSAL))));
        await("the changed Machine is seen").pollDelay(Duration.ofSeconds(2)).until(() -> true);
    }

    private void spoil(String subject, int index, String named, Map<String, Object> spec) {
        String name = Objects.requireNonNull(subjects.get(subject)).get(index);
        merge(find(AgentClusterInstall.class, name), Map.of("spec", spec));
        if (!named.isEmpty()) {
            await(named + " of " + name)
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> conditions(OpenshiftAssistedControlPlane.class, name)
                            .contains(named));
        }
    }

    /** Fields that become part of requests but are missing in the conditions of control planes and configs. */
    private List<String> silentFields() {
        Map<String, String> said = new TreeMap<>();
        list(OpenshiftAssistedControlPlane.class)
                .forEach(plane -> said.put(plane.getMetadata().getName(), messages(plane)));
        list(OpenshiftAssistedConfig.class)
                .forEach(config -> said.merge(
                        config.getMetadata().getName().replaceFirst("-[^-]*$", ""), messages(config), String::concat));
        return IN_REQUESTS.entrySet().stream()
                .flatMap(field -> Objects.requireNonNull(subjects.get(field.getKey())).stream()
                        .filter(name -> !said.getOrDefault(name, "").contains(field.getValue()))
                        .map(name -> field.getKey() + " of " + name))
                .toList();
    }

    private boolean allHaveConditions() {
        return list(OpenshiftAssistedControlPlane.class).stream()
                .allMatch(controlPlane -> controlPlane.getStatus() != null
                        && controlPlane.getStatus().conditions() != null);
    }

    private String conditions(Class<? extends HasMetadata> kind, String name) {
        return messages(find(kind, name));
    }

    private static String messages(HasMetadata object) {
        @Nullable List<Condition> conditions = List.of();
        if (object instanceof OpenshiftAssistedControlPlane plane && plane.getStatus() != null) {
            conditions = plane.getStatus().conditions();
        } else if (object instanceof OpenshiftAssistedConfig config && config.getStatus() != null) {
            conditions = config.getStatus().conditions();
        }
        return Objects.requireNonNullElse(conditions, List.<Condition>of()).stream()
                .map(Condition::message)
                .collect(Collectors.joining("\n"));
    }

    /** Requests of the providers, from the audit log. */
    private void assertNothingLeft() {
        List<String> astray = cluster
                .auditLog()
                .orElseThrow()
                .since(cluster.auditLog().orElseThrow().start())
                .stream()
                .filter(entry -> Set.of(KnownUsers.BOOTSTRAP_PROVIDER, KnownUsers.CONTROL_PLANE_PROVIDER)
                        .contains(entry.user()))
                .filter(HostileFieldsTest::isAstray)
                .map(entry -> entry.user() + " " + entry.verb() + " " + entry.uri())
                .distinct()
                .toList();
        assertThat(astray).isEmpty();
    }

    private static boolean isAstray(AuditEntry entry) {
        return entry.namespace().equals("victim")
                || Stream.of("victim", "stolen", "..", "%2e", "%2E", "X:").anyMatch(entry.uri()::contains)
                || (entry.verb().equals("watch")
                        && entry.resource().equals("secrets")
                        && !entry.uri().contains("Selector="));
    }

    private void merge(HasMetadata object, Map<String, Object> patch) {
        admin.resource(object)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        admin.getKubernetesSerialization().asJson(patch));
    }

    private void status(HasMetadata object, String patch) {
        admin.resource(object).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    private <R extends HasMetadata> R find(Class<R> kind, String name) {
        return admin.resources(kind).inNamespace("tenant").withName(name).get();
    }

    private <R extends HasMetadata> List<R> list(Class<R> kind) {
        return admin.resources(kind).inNamespace("tenant").list().getItems();
    }

    private void create(String yaml) {
        var unused = admin.resource(admin.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class))
                .create();
    }
}
