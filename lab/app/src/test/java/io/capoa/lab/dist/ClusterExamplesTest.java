package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigTemplate;
import io.capoa.api.contract.Fields;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneTemplate;
import io.capoa.api.rules.Findings;
import io.capoa.bootstrap.admission.ConfigTemplateValidator;
import io.capoa.controlplane.admission.ControlPlaneTemplateValidator;
import io.capoa.controlplane.admission.ControlPlaneValidator;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.dist.ClusterExample.Reference;
import io.capoa.lint.ManifestLint;
import io.capoa.lint.manifest.ManifestFile;
import io.capoa.runtime.webhook.Validator;
import io.capoa.runtime.webhook.Validator.Change;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every sample and template is what its header says, and its objects name each other. */
class ClusterExamplesTest {

    private static final List<String> NUMBERS = List.of("no", "one", "two", "three", "four", "five", "six");
    private static final Pattern MACHINES = Pattern.compile("(\\w+) control planes and (\\w+) workers");
    private static final Pattern HOSTS = Pattern.compile("at least (\\w+) available BareMetalHosts");

    /** What a header says of a cluster, if and only if it is so. */
    private static final Map<String, Predicate<ClusterExample>> CLAIMS = new TreeMap<>(Map.of(
            "bare metal", example -> !example.metal3().isEmpty(),
            "live ISO", example -> images(example).stream().anyMatch("live-iso"::equals),
            "platform External",
                    example ->
                            example.controlPlane("config", "platform", "type").equals("External"),
            "cloud controller manager of the user's",
                    example -> example.controlPlane("config", "platform", "cloudControllerManager")
                            .equals("External"),
            "one host",
                    example -> !example.controlPlane("replicas").isEmpty()
                            && example.controlPlanes() + example.workers() == 1,
            "OKD", example -> example.controlPlane("distributionVersion").contains("okd"),
            "without access to the internet",
                    example -> !example.controlPlane("config", "imageRegistryRef", "name")
                            .isEmpty(),
            "v1beta1 contract",
                    example -> example.metal3().stream()
                            .anyMatch(object -> object.getApiVersion().endsWith("/v1beta1")),
            "from the ClusterClass", ClusterExample::hasTopology));

    /** Objects that a user has before, and the word by which {@code docs/install.md} names them. */
    private static final Map<String, String> PREREQUISITES = Map.of(
            "Secret pull-secret", "PULL_SECRET_NAME",
            "ConfigMap mirror-registry", "MIRROR_CONFIG_NAME",
            "ConfigMap cloud-controller-manager", "CLOUD_MANIFESTS_NAME",
            "ClusterClass openshift-baremetal", "clusterclass-openshift-baremetal.yaml");

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    /** Nothing has to name them. */
    private static final Set<String> ROOTS = Set.of("Cluster", "ClusterClass", "MachineDeployment");

    static List<ClusterExample> all() {
        return ClusterExample.all();
    }

    static List<ClusterExample> samples() {
        return ClusterExample.samples();
    }

    static List<ClusterExample> templates() {
        return ClusterExample.templates();
    }

    @Test
    void samplesAndTemplatesAreFound() {
        assertThat(samples()).hasSizeGreaterThanOrEqualTo(4);
        assertThat(templates()).hasSizeGreaterThanOrEqualTo(9);
    }

    @ParameterizedTest
    @MethodSource("all")
    void theHeaderClaimsWhatIsSo(ClusterExample example) {
        assertThat(CLAIMS.keySet().stream().filter(example.header()::contains))
                .as(example.header())
                .isNotEmpty()
                .containsExactlyElementsOf(CLAIMS.entrySet().stream()
                        .filter(claim -> claim.getValue().test(example))
                        .map(Map.Entry::getKey)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aSampleHasAsManyMachinesAsItSays(ClusterExample sample) {
        assertThat(number(MACHINES, sample, 1)).isEqualTo(sample.controlPlanes());
        assertThat(number(MACHINES, sample, 2)).isEqualTo(sample.workers());
        if (!sample.metal3().isEmpty()) {
            assertThat(number(HOSTS, sample, 1)).isEqualTo(sample.controlPlanes() + sample.workers());
        }
    }

    @ParameterizedTest
    @MethodSource("templates")
    void aTemplateHasWorkersUnlessItIsForOneHost(ClusterExample template) {
        if (template.cluster().isPresent()) {
            boolean oneHost = template.header().contains("one host");
            assertThat(template.controlPlanes()).isEqualTo(oneHost ? 1 : 3);
            assertThat(template.workers()).isEqualTo(oneHost ? 0 : 2);
        }
    }

    /** Objects of the same file, or what a user makes before; the latter is documented. */
    @ParameterizedTest
    @MethodSource("all")
    void referencesHaveTheirObjects(ClusterExample example) throws IOException {
        String guide = Files.readString(ProjectRoot.find().resolve("docs/install.md"));

        assertThat(example.references()).isNotEmpty().allSatisfy(reference -> {
            if (example.objects().stream().noneMatch(reference::isTo)) {
                assertThat(templates().contains(example) ? PREREQUISITES : Map.of())
                        .as(reference.toString())
                        .containsKey(reference.target());
                assertThat(guide).contains("`" + PREREQUISITES.get(reference.target()) + "`");
            }
        });
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyObjectIsNamedByAnother(ClusterExample example) {
        List<Reference> references = example.references();
        assertThat(example.objects())
                .filteredOn(object -> !ROOTS.contains(object.getKind()))
                .allSatisfy(object -> {
                    if (example.hasTopology()) {
                        // A patch of the class names it.
                        assertThat(object.getMetadata().getName()).isEqualTo(clusterName(example));
                    } else {
                        assertThat(references)
                                .as(object.getKind() + " "
                                        + object.getMetadata().getName())
                                .anyMatch(reference -> reference.isTo(object));
                    }
                });
    }

    @ParameterizedTest
    @MethodSource("all")
    void theEndpointIsTheClustersName(ClusterExample example) {
        assertThat(example.ofKind("Metal3Cluster"))
                .allSatisfy(object -> assertThat(
                                Fields.text(Fields.any(object, "spec", "controlPlaneEndpoint"), "host"))
                        .isEqualTo("api.%s.%s"
                                .formatted(clusterName(example), example.controlPlane("config", "baseDomain"))));
    }

    /** A MachineDeployment selects its own Machines. */
    @ParameterizedTest
    @MethodSource("all")
    void selectorsMatchTheirTemplates(ClusterExample example) {
        assertThat(example.ofKind("MachineDeployment")).allSatisfy(object -> {
            Map<String, Object> selected = Fields.map(object, "spec", "selector", "matchLabels");
            assertThat(Fields.map(object, "spec", "template", "metadata", "labels"))
                    .containsAllEntriesOf(selected);
            assertThat(selected)
                    .containsEntry(
                            "cluster.x-k8s.io/deployment-name",
                            object.getMetadata().getName());
        });
    }

    /** As the webhooks would, beyond the schema. */
    @ParameterizedTest
    @MethodSource("all")
    void admissionNeitherRefusesNorWarns(ClusterExample example) {
        Findings findings = new Findings();
        judge(example, OpenshiftAssistedControlPlane.class, new ControlPlaneValidator(), findings);
        judge(example, OpenshiftAssistedControlPlaneTemplate.class, new ControlPlaneTemplateValidator(), findings);
        judge(example, OpenshiftAssistedConfigTemplate.class, new ConfigTemplateValidator(), findings);

        assertThat(findings.refused()).isEmpty();
        assertThat(findings.doubtful()).isEmpty();
    }

    private static <T> void judge(ClusterExample example, Class<T> type, Validator<T> validator, Findings findings) {
        example.ofKind(type.getSimpleName())
                .map(object -> YAML.convertValue(object, type))
                .forEach(object -> validator.validate(new Change<>(object, null), findings));
    }

    @Test
    void theSampleOfACloudControllerManager_hasNoFinding() {
        ClusterExample external = samples().stream()
                .filter(sample -> sample.name().equals("external.yaml"))
                .findFirst()
                .orElseThrow();
        List<ManifestFile> files = external.ofKind("ConfigMap")
                .flatMap(map -> map.<Map<String, String>>get("data").entrySet().stream())
                .map(file -> new ManifestFile(file.getKey(), file.getValue()))
                .toList();

        assertThat(files).isNotEmpty();
        assertThat(ManifestLint.of(files, false).findings()).isEmpty();
    }

    private static String clusterName(ClusterExample example) {
        return example.cluster().orElseThrow().getMetadata().getName();
    }

    /** Formats of the images that hosts boot. */
    private static List<String> images(ClusterExample example) {
        return example.ofKind("Metal3MachineTemplate")
                .map((GenericKubernetesResource object) ->
                        Fields.text(Fields.any(object, "spec", "template", "spec", "image"), "diskFormat"))
                .toList();
    }

    private static int number(Pattern pattern, ClusterExample example, int group) {
        Matcher matcher = pattern.matcher(example.header());
        assertThat(matcher.find()).as("%s in: %s", pattern, example.header()).isTrue();
        assertThat(NUMBERS).contains(matcher.group(group));
        return NUMBERS.indexOf(matcher.group(group));
    }
}
