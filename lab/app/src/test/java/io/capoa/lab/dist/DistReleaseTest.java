package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.provider.Dist;
import io.capoa.lab.provider.Variables;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code config/release}, and clusterctl's rules for its result. */
class DistReleaseTest {

    private static final String VERSION = DistRelease.VERSION;

    private static DistRelease release;

    @BeforeAll
    static void build() {
        release = DistRelease.built();
    }

    @Test
    void aReleaseLiesInTheLayoutOfALocalRepository() {
        assertThat(release.files())
                .containsOnlyKeys(
                        "bootstrap-openshift-assisted/v0.2.0/bootstrap-components.yaml",
                        "bootstrap-openshift-assisted/v0.2.0/bootstrap-plain.yaml",
                        "bootstrap-openshift-assisted/v0.2.0/metadata.yaml",
                        "control-plane-openshift-assisted/v0.2.0/control-plane-components.yaml",
                        "control-plane-openshift-assisted/v0.2.0/control-plane-plain.yaml",
                        "control-plane-openshift-assisted/v0.2.0/metadata.yaml",
                        "control-plane-openshift-assisted/v0.2.0/replace-go-provider",
                        "control-plane-openshift-assisted/v0.2.0/runtime-extension.yaml",
                        "control-plane-openshift-assisted/v0.2.0/cluster-template.yaml",
                        "control-plane-openshift-assisted/v0.2.0/cluster-template-capm3-v1beta1.yaml",
                        "control-plane-openshift-assisted/v0.2.0/cluster-template-disconnected.yaml",
                        "control-plane-openshift-assisted/v0.2.0/cluster-template-external.yaml",
                        "control-plane-openshift-assisted/v0.2.0/cluster-template-live-iso.yaml",
                        "control-plane-openshift-assisted/v0.2.0/cluster-template-okd.yaml",
                        "control-plane-openshift-assisted/v0.2.0/cluster-template-single-node.yaml",
                        "control-plane-openshift-assisted/v0.2.0/cluster-template-topology.yaml",
                        "control-plane-openshift-assisted/v0.2.0/clusterclass-openshift-baremetal.yaml",
                        "page.yaml");
    }

    @Test
    void theSameSourcesGiveTheSameBytes(@TempDir Path again) {
        assertThat(DistRelease.manifests(again, VERSION).files()).isEqualTo(release.files());
    }

    @Test
    void aVariableThatNoProviderHas_isRefusedByName() {
        Dist dist = new Dist(release.folder(), VERSION);

        dist.requireVariables(Set.of("CAPOA_MEMORY_LIMIT"));
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> dist.requireVariables(Set.of("CAPOA_MEMORY")))
                .withMessageMatching("The providers have no variable CAPOA_MEMORY; .*CAPOA_MEMORY_LIMIT.*");
    }

    @Test
    void everyDocumentIsAnObject_whoseValuesAreFilledIn() {
        Map<String, String> values = TemplatesTest.VALUES;
        SortedMap<String, String> manifests = new TreeMap<>(release.files());
        assertThat(manifests.keySet().removeIf(file -> !file.endsWith(".yaml"))).isTrue();
        manifests.forEach((file, text) -> assertThat(DistRelease.objects(Variables.fill(text, values)))
                .as(file)
                .isNotEmpty()
                .allSatisfy(object -> {
                    assertThat(object.getApiVersion()).isNotBlank();
                    assertThat(object.getKind()).isNotBlank();
                }));
    }

    @ParameterizedTest
    @ValueSource(strings = {DistRelease.BOOTSTRAP, DistRelease.CONTROL_PLANE})
    void thePlainManifests_areTheComponentsWithoutVariables(String provider) {
        String name = provider.equals(DistRelease.BOOTSTRAP) ? "bootstrap-plain.yaml" : "control-plane-plain.yaml";

        assertThat(DistRelease.objects(release.file(provider, name))).isEqualTo(release.components(provider));
    }

    @ParameterizedTest
    @ValueSource(strings = {DistRelease.BOOTSTRAP, DistRelease.CONTROL_PLANE})
    void metadata_saysThatTheSeriesFollowsV1beta2(String provider) {
        GenericKubernetesResource metadata =
                DistRelease.objects(release.file(provider, "metadata.yaml")).getFirst();

        assertThat(metadata.getKind()).isEqualTo("Metadata");
        assertThat(metadata.<List<Map<String, Object>>>get("releaseSeries"))
                .containsExactly(
                        Map.of("major", 0, "minor", 1, "contract", "v1beta1"),
                        Map.of("major", 0, "minor", 2, "contract", "v1beta2"));
    }

    @Test
    void aLaterSeries_isAddedToTheMetadata(@TempDir Path later) {
        GenericKubernetesResource metadata = DistRelease.objects(
                        DistRelease.manifests(later, "v0.3.0").file(DistRelease.BOOTSTRAP, "metadata.yaml"))
                .getFirst();

        assertThat(metadata.<List<Map<String, Object>>>get("releaseSeries"))
                .contains(Map.of("major", 0, "minor", 3, "contract", "v1beta2"))
                .hasSize(3);
    }

    @Test
    void theRuntimeExtension_isAtTheServiceOfTheWebhooks_withTheirAuthority() {
        GenericKubernetesResource extension = DistRelease.objects(
                        release.file(DistRelease.CONTROL_PLANE, "runtime-extension.yaml"))
                .getFirst();
        List<GenericKubernetesResource> components = release.components(DistRelease.CONTROL_PLANE);
        GenericKubernetesResource service = ofKind(components, "Service").getFirst();
        GenericKubernetesResource certificate =
                ofKind(components, "Certificate").getFirst();

        assertThat(extension.getKind()).isEqualTo("ExtensionConfig");
        assertThat(extension.<Map<String, Object>>get("spec", "clientConfig", "service"))
                .containsEntry("namespace", service.getMetadata().getNamespace())
                .containsEntry("name", service.getMetadata().getName())
                .containsEntry("port", service.<Integer>get("spec", "ports", 0, "port"));
        assertThat(extension.getMetadata().getAnnotations())
                .containsEntry(
                        "runtime.cluster.x-k8s.io/inject-ca-from-secret",
                        certificate.getMetadata().getNamespace() + "/" + certificate.<String>get("spec", "secretName"));
    }

    @ParameterizedTest
    @ValueSource(strings = {DistRelease.BOOTSTRAP, DistRelease.CONTROL_PLANE})
    void components_areOneProviderInOneNamespace(String provider) {
        List<GenericKubernetesResource> components = release.components(provider);

        assertThat(ofKind(components, "Namespace")).hasSize(1);
        String namespace =
                ofKind(components, "Namespace").getFirst().getMetadata().getName();
        assertThat(components)
                .allSatisfy(object -> assertThat(object.getMetadata().getLabels())
                        .containsEntry("cluster.x-k8s.io/provider", provider));
        assertThat(components.stream()
                        .map(object -> object.getMetadata().getNamespace())
                        .filter(name -> name != null)
                        .collect(Collectors.toSet()))
                .containsExactly(namespace);
        assertThat(ofKind(components, "CustomResourceDefinition"))
                .hasSize(2)
                .allSatisfy(definition -> assertThat(definition.getMetadata().getLabels())
                        .containsEntry("cluster.x-k8s.io/v1beta2", "v1beta1"));
        GenericKubernetesResource deployment = ofKind(components, "Deployment").getFirst();
        assertThat(deployment.<String>get("spec", "template", "spec", "containers", 0, "name"))
                .isEqualTo("manager");
        assertThat(deployment.<String>get("spec", "template", "spec", "containers", 0, "image"))
                .endsWith("-provider:" + VERSION);
        assertThat(deployment.<List<String>>get("spec", "template", "spec", "containers", 0, "args"))
                .contains(
                        "--leader-elect",
                        "--namespace=$(CAPOA_WATCH_NAMESPACE)",
                        "--watch-filter=$(CAPOA_WATCH_FILTER)");
        assertThat(deployment.<List<Map<String, Object>>>get("spec", "template", "spec", "containers", 0, "env"))
                .contains(
                        Map.of("name", "CAPOA_WATCH_NAMESPACE", "value", ""),
                        Map.of("name", "CAPOA_WATCH_FILTER", "value", ""));
    }

    /** These names are the same in the Go provider, so that our release replaces its installation. */
    @ParameterizedTest
    @ValueSource(strings = {"bootstrap", "controlplane"})
    void visibleNames_areThoseOfTheGoProvider(String part) {
        List<GenericKubernetesResource> components =
                release.components(part.equals("bootstrap") ? DistRelease.BOOTSTRAP : DistRelease.CONTROL_PLANE);

        Set<String> names = components.stream()
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .collect(Collectors.toSet());
        assertThat(names)
                .containsAll(Stream.of(
                                "Namespace capoa-%s-system",
                                "Deployment capoa-%s-controller-manager",
                                "ServiceAccount capoa-%s-controller-manager",
                                "ClusterRole capoa-%s-manager-role",
                                "Role capoa-%s-leader-election-role",
                                "Service capoa-%s-webhook-service",
                                "Issuer capoa-%s-selfsigned-issuer",
                                "Certificate capoa-%s-cert",
                                "ValidatingWebhookConfiguration capoa-%s-validating-webhook-configuration")
                        .map(name -> name.formatted(part))
                        .toList());
        GenericKubernetesResource deployment = ofKind(components, "Deployment").getFirst();
        assertThat(deployment.<Map<String, String>>get("spec", "selector", "matchLabels"))
                .isEqualTo(Map.of("control-plane", "capoa-%s-controller-manager".formatted(part)));
        assertThat(ofKind(components, "Certificate").getFirst().<String>get("spec", "secretName"))
                .isEqualTo("capoa-%s-webhook-cert-secret".formatted(part));
    }

    /** If the API server rejects them, as it does over those of an older release, clusterctl replaces nothing else. */
    @ParameterizedTest
    @ValueSource(strings = {DistRelease.BOOTSTRAP, DistRelease.CONTROL_PLANE})
    void definitionsComeFirst_afterTheNamespaceAlone(String provider) {
        assertThat(release.components(provider).stream()
                        .map(GenericKubernetesResource::getKind)
                        .limit(3)
                        .toList())
                .containsExactly("Namespace", "CustomResourceDefinition", "CustomResourceDefinition");
    }

    /** Without a policy of its own for each, a pod that a policy selects is closed to all. */
    @ParameterizedTest
    @ValueSource(strings = {DistRelease.BOOTSTRAP, DistRelease.CONTROL_PLANE})
    void theNetworkPolicy_opensEveryPortOfTheManager_butMetricsToLabelledNamespacesOnly(String provider) {
        List<GenericKubernetesResource> components = release.components(provider);
        GenericKubernetesResource deployment = ofKind(components, "Deployment").getFirst();
        GenericKubernetesResource policy = ofKind(components, "NetworkPolicy").getFirst();
        List<Map<String, Object>> ports = deployment.get("spec", "template", "spec", "containers", 0, "ports");
        List<Map<String, Object>> rules = policy.get("spec", "ingress");

        assertThat(policy.<Map<String, String>>get("spec", "podSelector", "matchLabels"))
                .isEqualTo(deployment.<Map<String, String>>get("spec", "selector", "matchLabels"));
        assertThat(portsOf(rules.stream()))
                .containsExactlyInAnyOrderElementsOf(
                        ports.stream().map(port -> port.get("name")).toList());
        assertThat(portsOf(rules.stream().filter(rule -> !rule.containsKey("from"))))
                .containsExactlyInAnyOrder("webhook", "healthz");
        assertThat(rules)
                .filteredOn(rule -> rule.containsKey("from"))
                .extracting(rule -> rule.get("from"))
                .containsExactly(
                        List.of(Map.of("namespaceSelector", Map.of("matchLabels", Map.of("metrics", "enabled")))));
        // The runtime extension is at this service as well.
        assertThat(ofKind(components, "Service").getFirst().<Object>get("spec", "ports", 0, "targetPort"))
                .isEqualTo("webhook");
    }

    private static List<Object> portsOf(Stream<Map<String, Object>> rules) {
        return rules.flatMap(rule -> ((List<?>) rule.getOrDefault("ports", List.of())).stream())
                .<Object>map(port -> ((Map<?, ?>) port).get("port"))
                .toList();
    }

    /** clusterctl changes the namespace of every ServiceAccount subject to the provider's. */
    @Test
    void capm3_isNamedAsAUser_soThatClusterctlLeavesItWhereItIs() {
        GenericKubernetesResource binding = release.components(DistRelease.CONTROL_PLANE).stream()
                .filter(object -> object.getMetadata().getName().equals("capoa-controlplane-capm3-reader-rolebinding"))
                .findFirst()
                .orElseThrow();

        assertThat(binding.<List<Map<String, String>>>get("subjects"))
                .containsExactly(Map.of(
                        "apiGroup", "rbac.authorization.k8s.io",
                        "kind", "User",
                        "name", "system:serviceaccount:capm3-system:capm3-manager"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bootstrap", "controlplane"})
    void aVariableLeavesTheProviderWithoutRightsOnWhatHasANamespace(String part) {
        String provider = part.equals("bootstrap") ? DistRelease.BOOTSTRAP : DistRelease.CONTROL_PLANE;
        String usual = "capoa-%s-manager-role".formatted(part);
        String small = "capoa-%s-cluster-scoped-role".formatted(part);

        assertThat(boundRole(release.components(provider, Map.of()), part)).isEqualTo(usual);
        List<GenericKubernetesResource> components =
                release.components(provider, Map.of("CAPOA_CLUSTER_ROLE", "cluster-scoped"));

        assertThat(boundRole(components, part)).isEqualTo(small);
        assertThat(rights(components, small))
                .isNotEmpty()
                .isSubsetOf(rights(components, usual))
                .allMatch(DistReleaseTest::hasNoNamespace);
        Set<String> migration = rights(components, "capoa-%s-migration-role".formatted(part));
        assertThat(rights(components, usual).stream()
                        .filter(DistReleaseTest::hasNoNamespace)
                        .filter(right -> !migration.contains(right)))
                .isSubsetOf(rights(components, small));
    }

    private static boolean hasNoNamespace(String right) {
        return right.matches(
                ".* (customresourcedefinitions(/status)?|clusterimagesets|managedclustersets/join|extensionconfigs)\\..*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bootstrap", "controlplane"})
    void ofLeases_onlyTheElectionsOwnMayBeReadAndWritten(String part) {
        GenericKubernetesResource role = named(
                release.components(part.equals("bootstrap") ? DistRelease.BOOTSTRAP : DistRelease.CONTROL_PLANE),
                "capoa-%s-leader-election-role".formatted(part));

        List<Map<String, List<String>>> ofLeases = role.<List<Map<String, List<String>>>>get("rules").stream()
                .filter(rule -> rule.get("resources").contains("leases"))
                .toList();
        assertThat(ofLeases)
                .filteredOn(rule -> !rule.containsKey("resourceNames"))
                .extracting(rule -> rule.get("verbs"))
                .containsExactly(List.of("create"));
        assertThat(ofLeases)
                .filteredOn(rule -> rule.containsKey("resourceNames"))
                .singleElement()
                .satisfies(rule -> assertThat(rule.get("resourceNames")).hasSize(1));
    }

    private static String boundRole(List<GenericKubernetesResource> components, String part) {
        return named(components, "capoa-%s-manager-rolebinding".formatted(part)).get("roleRef", "name");
    }

    private static GenericKubernetesResource named(List<GenericKubernetesResource> components, String name) {
        return components.stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Verb, resource and group of everything that a role allows, with the roles that it aggregates. */
    private static Set<String> rights(List<GenericKubernetesResource> components, String role) {
        Map<String, String> selected =
                named(components, role).get("aggregationRule", "clusterRoleSelectors", 0, "matchLabels");
        return components.stream()
                .filter(object -> selected == null
                        ? object.getMetadata().getName().equals(role)
                        : object.getKind().equals("ClusterRole")
                                && object.getMetadata().getLabels().entrySet().containsAll(selected.entrySet()))
                .flatMap(object -> object.<List<Map<String, List<String>>>>get("rules").stream())
                .flatMap(rule -> rule.get("apiGroups").stream()
                        .flatMap(group -> rule.get("resources").stream()
                                .flatMap(resource -> rule.get("verbs").stream()
                                        .map(verb -> "%s %s.%s".formatted(verb, resource, group)))))
                .collect(Collectors.toSet());
    }

    @Test
    void aWrongCommandLine_isRefusedWithTheRemedy(@TempDir Path out) {
        assertThat(DistRelease.run("--version", "1.0", "--out", out.toString()))
                .isEqualTo(new DistRelease.Ended(2, "--version takes a version such as v0.2.0, not \"1.0\".\n"));
        assertThat(DistRelease.run("--version", "v0.1.9", "--out", out.toString()))
                .satisfies(ended -> {
                    assertThat(ended.code()).isEqualTo(2);
                    assertThat(ended.said()).contains("Series 0.1 belongs to the Go provider", "v0.2.0 or later");
                });
        assertThat(DistRelease.run("--manifests")).satisfies(ended -> {
            assertThat(ended.code()).isEqualTo(2);
            assertThat(ended.said()).contains("--manifests is not an option", "--help");
        });
        assertThat(out).isEmptyDirectory();
    }

    private static List<GenericKubernetesResource> ofKind(List<GenericKubernetesResource> objects, String kind) {
        return objects.stream().filter(object -> object.getKind().equals(kind)).toList();
    }
}
