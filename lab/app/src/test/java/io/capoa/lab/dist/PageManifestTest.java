package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.command.Dashboard;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectRulesReviewBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code page.yaml} of a release on a real API server: its pod, its rights, and the page with no more than these. */
@ExtendWith(SharedCluster.class)
class PageManifestTest {

    /** Of the control-plane manager. */
    private static final String LEASE = "09dff44b.cluster.x-k8s.io";

    @TempDir
    private Path folder;

    private final TestCluster cluster;

    PageManifestTest(TestCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void everyObjectIsTaken_withoutAWarning_andNoneIsAService() throws Exception {
        PagePod.install(cluster);
        for (GenericKubernetesResource object : PagePod.manifest()) {
            ServerDryRun.Answer answer = new ServerDryRun(cluster.admin()).apply(object, null);
            assertThat(answer.code()).as(answer.body()).isIn(200, 201);
            assertThat(answer.warnings()).as(object.getMetadata().getName()).isEmpty();
        }
        assertThat(PagePod.manifest())
                .extracting(GenericKubernetesResource::getKind)
                .containsExactlyInAnyOrder(
                        "Namespace", "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Deployment");
        assertThat(PagePod.container(PagePod.manifest()).<String>get("image"))
                .isEqualTo("localhost/capoa/page:" + DistRelease.VERSION);
    }

    @Test
    void thePod_runsWherePodSecurityIsRestricted_onAReadOnlyRoot() {
        PagePod.install(cluster);
        GenericKubernetesResource deployment = PagePod.manifest().stream()
                .filter(object -> object.getKind().equals("Deployment"))
                .findFirst()
                .orElseThrow();
        PodTemplateSpec template = new KubernetesSerialization()
                .convertValue(deployment.<Map<String, Object>>get("spec", "template"), PodTemplateSpec.class);
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName("page")
                .withNamespace(PagePod.NAMESPACE)
                .endMetadata()
                .withSpec(template.getSpec())
                .build();

        Pod admitted = cluster.admin().resource(pod).dryRun().create();

        assertThat(admitted.getSpec().getContainers()).singleElement().satisfies(container -> {
            assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                    .isTrue();
            assertThat(container.getPorts()).isEmpty();
        });
        pod.getSpec().getContainers().getFirst().getSecurityContext().setAllowPrivilegeEscalation(true);
        assertThatThrownBy(() -> cluster.admin().resource(pod).dryRun().create())
                .hasMessageContaining("violates PodSecurity \"restricted");
    }

    @Test
    void withTheTokenOfItsServiceAccount_thePageShowsAClusterAndAnAbsentManager_andNoRightIsMissingOrUnused()
            throws IOException {
        PagePod.install(cluster);
        Optional<AuditLog.Mark> begin = cluster.auditLog().map(AuditLog::mark);
        String namespace = namespace();
        try (PagePod pod = PagePod.start(cluster, folder, fromTheClassPath())) {
            await().atMost(PagePod.SOON)
                    .untilAsserted(() -> assertThat(pod.get("state"))
                            .contains(
                                    "\"namespace\":\"%s\",\"name\":\"shown\"".formatted(namespace),
                                    "No control-plane manager (Lease %s/%s) is running".formatted(namespace, LEASE)));
            assertThat(pod.get("object?Cluster/" + namespace + "/shown")).contains("kind: \\\"Cluster\\\"");
            assertThat(pod.log()).doesNotContainIgnoringCase("forbidden");
        } finally {
            cluster.admin().namespaces().withName(namespace).delete();
        }
        if (begin.isPresent()) {
            List<AuditEntry> requests = cluster.auditLog().orElseThrow().since(begin.get()).stream()
                    .filter(request -> request.user().equals(PagePod.USER))
                    .toList();
            assertThat(requests)
                    .filteredOn(request -> request.code() == 403)
                    .extracting(AuditEntry::uri)
                    .isEmpty();
            Set<String> listed = requests.stream()
                    .filter(request -> request.verb().equals("list"))
                    .map(request -> request.resource() + "." + request.apiGroup())
                    .collect(Collectors.toSet());
            assertThat(listed).isEqualTo(granted());
        }
    }

    @Test
    void ofSecretsAndConfigMaps_andOfOtherLeases_nothingIsReadable() {
        PagePod.install(cluster);
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(cluster.admin().getConfiguration().getMasterUrl())
                .withCaCertFile(cluster.admin().getConfiguration().getCaCertFile())
                .withCaCertData(cluster.admin().getConfiguration().getCaCertData())
                .withOauthToken(PagePod.token(cluster))
                .build();
        try (KubernetesClient page =
                new KubernetesClientBuilder().withConfig(config).build()) {
            for (var refused : List.of(
                    page.secrets().inAnyNamespace(),
                    page.configMaps().inAnyNamespace(),
                    page.leases().inAnyNamespace(),
                    page.pods().inAnyNamespace())) {
                assertThatThrownBy(refused::list)
                        .isInstanceOfSatisfying(
                                KubernetesClientException.class,
                                failure -> assertThat(failure.getCode()).isEqualTo(403));
            }
            // What every ServiceAccount may, and no verb that writes or names a Secret.
            assertThat(page.resource(new SelfSubjectRulesReviewBuilder()
                                    .withNewSpec()
                                    .withNamespace("default")
                                    .endSpec()
                                    .build())
                            .create()
                            .getStatus()
                            .getResourceRules())
                    .filteredOn(rule -> !rule.getApiGroups().contains("authorization.k8s.io")
                            && !rule.getApiGroups().contains("authentication.k8s.io"))
                    .isNotEmpty()
                    .allSatisfy(rule -> {
                        assertThat(rule.getVerbs()).containsOnly("list", "watch");
                        assertThat(rule.getResources()).doesNotContain("secrets", "*");
                    });
        }
    }

    /** The program of the image's entry point, without the image. */
    private static List<String> fromTheClassPath() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=io/capoa/lab/page/logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                Dashboard.class.getName());
    }

    /** A namespace with a Cluster, and the Lease of a manager that has given it up. */
    private String namespace() {
        String namespace = cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("page-pod-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
        GenericKubernetesResource shown =
                Serialization.unmarshal("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: shown, namespace: %s}
                spec:
                  controlPlaneRef:
                    {apiGroup: controlplane.cluster.x-k8s.io, kind: OpenshiftAssistedControlPlane, name: shown}
                  infrastructureRef:
                    {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Cluster, name: shown}
                """.formatted(namespace), GenericKubernetesResource.class);
        cluster.admin().resource(shown).create();
        cluster.admin()
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName(LEASE)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("")
                        .endSpec()
                        .build())
                .create();
        return namespace;
    }

    private static Set<String> granted() {
        return PagePod.manifest().stream()
                .filter(object -> object.getKind().equals("ClusterRole"))
                .flatMap(role -> role.<List<Map<String, List<String>>>>get("rules").stream())
                .flatMap(rule -> rule.get("resources").stream()
                        .map(resource -> resource + "." + rule.get("apiGroups").getFirst()))
                .collect(Collectors.toSet());
    }
}
