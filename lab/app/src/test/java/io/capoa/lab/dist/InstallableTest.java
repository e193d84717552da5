package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real API server accepts the components, and pod security admission the managers' pods. */
@ExtendWith(SharedCluster.class)
class InstallableTest {

    private static final String CERT_MANAGER = "cert-manager.io/v1";

    private final KubernetesClient admin;
    private final ServerDryRun server;

    InstallableTest(TestCluster cluster) {
        this.admin = cluster.admin();
        this.server = new ServerDryRun(admin);
    }

    @ParameterizedTest
    @ValueSource(strings = {DistRelease.BOOTSTRAP, DistRelease.CONTROL_PLANE})
    void everyObjectIsTaken_withoutAWarning(String provider) throws Exception {
        List<GenericKubernetesResource> components = DistRelease.built().components(provider);
        namespaceOf(components);

        for (GenericKubernetesResource object : components) {
            if (object.getApiVersion().equals(CERT_MANAGER)) {
                // cert-manager is not installed here; the suites with clusterctl test these with its CRDs.
                continue;
            }
            ServerDryRun.Answer answer = server.apply(object, null);
            assertThat(answer.code()).as(answer.body()).isIn(200, 201);
            assertThat(answer.warnings()).as(object.getMetadata().getName()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {DistRelease.BOOTSTRAP, DistRelease.CONTROL_PLANE})
    void theDeploymentWithTheValuesOfTheExample_isTaken_withoutAWarning(String provider) throws Exception {
        List<GenericKubernetesResource> components =
                DistRelease.built().components(provider, ComponentVariablesTest.example());
        namespaceOf(components);
        GenericKubernetesResource deployment = components.stream()
                .filter(object -> object.getKind().equals("Deployment"))
                .findFirst()
                .orElseThrow();

        ServerDryRun.Answer answer = server.apply(deployment, null);

        assertThat(answer.code()).as(answer.body()).isIn(200, 201);
        assertThat(answer.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {DistRelease.BOOTSTRAP, DistRelease.CONTROL_PLANE})
    void theManagersPod_runsWherePodSecurityIsRestricted(String provider) {
        List<GenericKubernetesResource> components = DistRelease.built().components(provider);
        String namespace = namespaceOf(components);

        Pod pod = pod(components, namespace);

        Pod admitted = admin.resource(pod).dryRun().create();
        assertThat(admitted.getSpec()
                        .getContainers()
                        .getFirst()
                        .getSecurityContext()
                        .getReadOnlyRootFilesystem())
                .isTrue();
        assertThat(admitted.getSpec().getPriority()).isGreaterThanOrEqualTo(2_000_000_000);
    }

    /** cert-manager's default is RSA, and it would keep such a key of an earlier version. */
    @ParameterizedTest
    @ValueSource(strings = {DistRelease.BOOTSTRAP, DistRelease.CONTROL_PLANE})
    void theKeyOfTheWebhooks_isOneWithCheapHandshakes_alsoAfterAnUpgrade(String provider) {
        assertThat(DistRelease.built().components(provider))
                .filteredOn(object -> object.getKind().equals("Certificate"))
                .singleElement()
                .extracting(certificate -> certificate.<Object>get("spec", "privateKey"))
                .isEqualTo(Map.of("algorithm", "ECDSA", "size", 256, "rotationPolicy", "Always"));
    }

    @Test
    void theNamespaceRefusesAPodThatIsNotRestricted() {
        List<GenericKubernetesResource> components = DistRelease.built().components(DistRelease.BOOTSTRAP);
        Pod pod = pod(components, namespaceOf(components));
        pod.getSpec().setSecurityContext(null);

        assertThatThrownBy(() -> admin.resource(pod).dryRun().create())
                .hasMessageContaining("violates PodSecurity \"restricted");
    }

    private String namespaceOf(List<GenericKubernetesResource> components) {
        GenericKubernetesResource namespace = components.stream()
                .filter(object -> object.getKind().equals("Namespace"))
                .findFirst()
                .orElseThrow();
        admin.resource(new NamespaceBuilder()
                        .withMetadata(namespace.getMetadata())
                        .build())
                .fieldManager("test")
                .forceConflicts()
                .serverSideApply();
        return namespace.getMetadata().getName();
    }

    private static Pod pod(List<GenericKubernetesResource> components, String namespace) {
        GenericKubernetesResource deployment = components.stream()
                .filter(object -> object.getKind().equals("Deployment"))
                .findFirst()
                .orElseThrow();
        Map<String, Object> template = Objects.requireNonNull(deployment.get("spec", "template"));
        PodTemplateSpec spec = new KubernetesSerialization().convertValue(template, PodTemplateSpec.class);
        return new PodBuilder()
                .withMetadata(spec.getMetadata())
                .editMetadata()
                .withName("manager-of-a-release")
                .withNamespace(namespace)
                .endMetadata()
                .withSpec(spec.getSpec())
                .build();
    }
}
