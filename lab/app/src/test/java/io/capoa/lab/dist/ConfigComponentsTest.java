package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.provider.Variables;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The components of {@code config} that are in no release, each in an overlay of its own. */
class ConfigComponentsTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"bootstrap", "controlplane"})
    void anOverlayWithTheComponent_hasAStandbyThatDrainsSpare(String part) throws IOException {
        List<GenericKubernetesResource> objects = overlay(part, "high-availability", "");

        GenericKubernetesResource deployment = only(objects, "Deployment");
        assertThat(deployment.<Integer>get("spec", "replicas")).isEqualTo(2);
        GenericKubernetesResource budget = only(objects, "PodDisruptionBudget");
        assertThat(budget.getMetadata().getNamespace())
                .isEqualTo(deployment.getMetadata().getNamespace());
        assertThat(budget.getMetadata().getLabels())
                .containsEntry(
                        "cluster.x-k8s.io/provider",
                        deployment.getMetadata().getLabels().get("cluster.x-k8s.io/provider"));
        assertThat(budget.<Integer>get("spec", "maxUnavailable")).isEqualTo(1);
        assertThat(deployment.<Map<String, String>>get("spec", "template", "metadata", "labels"))
                .containsAllEntriesOf(budget.<Map<String, String>>get("spec", "selector", "matchLabels"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bootstrap", "controlplane"})
    void anOverlayWithTheNetworkPolicy_opensTheWebhooksForTheNamedAddress_andNobodyElse(String part)
            throws IOException {
        List<GenericKubernetesResource> objects = overlay(part, "webhook-network-policy", """
                patches:
                  - target:
                      kind: NetworkPolicy
                      name: capoa-%s-controller-manager
                    patch: |-
                      - op: replace
                        path: /spec/ingress/2/from/0/ipBlock/cidr
                        value: 192.0.2.10/32
                """.formatted(part));

        List<Map<String, Object>> rules = only(objects, "NetworkPolicy").get("spec", "ingress");
        Map<String, List<Map<String, Object>>> from = new HashMap<>();
        for (Map<String, Object> rule : rules) {
            for (Object port : (List<?>) Objects.requireNonNull(rule.get("ports"))) {
                List<Map<String, Object>> clients = new ArrayList<>();
                for (Object client : (List<?>) rule.getOrDefault("from", List.of())) {
                    ((Map<?, ?>) client).forEach((kind, value) -> clients.add(Map.of(kind.toString(), value)));
                }
                from.put(String.valueOf(((Map<?, ?>) port).get("port")), clients);
            }
        }
        assertThat(from).containsOnlyKeys("webhook", "healthz", "metrics");
        assertThat(from.get("healthz")).isEmpty();
        assertThat(from.get("webhook"))
                .hasSize(part.equals("bootstrap") ? 1 : 2)
                .contains(Map.of("ipBlock", Map.of("cidr", "192.0.2.10/32")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bootstrap", "controlplane"})
    void anOverlayWithTheNewestVersionOnly_servesWhatIsStored(String part) throws IOException {
        assertThat(DefinedVersion.of(overlay(part, "newest-version-only", "")))
                .anyMatch(version -> !version.stored() && version.conversion().equals("Webhook"))
                .allMatch(version -> version.served() == version.stored());
    }

    private static GenericKubernetesResource only(List<GenericKubernetesResource> objects, String kind) {
        List<GenericKubernetesResource> found =
                objects.stream().filter(object -> object.getKind().equals(kind)).toList();
        assertThat(found).as(kind).hasSize(1);
        return found.getFirst();
    }

    /** As {@code docs/install.md} has it. */
    private List<GenericKubernetesResource> overlay(String part, String component, String more) throws IOException {
        Path config = folder.toRealPath()
                .relativize(ProjectRoot.find().toRealPath().resolve("config").resolve(part));
        Files.writeString(folder.resolve("kustomization.yaml"), """
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                resources:
                  - %s/default
                components:
                  - %s/%s
                """.formatted(config, config, component) + more);
        Process kubectl = new ProcessBuilder(
                        Binaries.ofThisProcess().require(Tool.KUBECTL).toString(), "kustomize", folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String yaml = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return DistRelease.objects(Variables.fill(yaml, Map.of()));
    }
}
