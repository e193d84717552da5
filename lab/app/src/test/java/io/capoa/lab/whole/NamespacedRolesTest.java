package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.LocalClusterOnly;
import io.capoa.lab.cluster.ManifestFiles;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.provider.Variables;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Both providers for one namespace, with the roles of {@code config/…/namespaced}. */
@Tag("full")
@Tag("whole")
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(LocalClusterOnly.class)
class NamespacedRolesTest {

    private static final String WATCHED = "watched";
    private static final String OTHER = "other";

    /** Values of a clusterctl user. */
    private static final Map<String, String> VARIABLES =
            Map.of("CAPOA_WATCH_NAMESPACE", WATCHED, "CAPOA_CLUSTER_ROLE", "cluster-scoped");

    @Test
    void withRightsInItsNamespaceAlone_aClusterBecomesReady_andSecretsElsewhereAreRefused() {
        try (WholeLab lab = new WholeLab(VARIABLES, NamespacedRolesTest::bindInTheNamespace)) {
            lab.peers().rack(WATCHED, 5);
            lab.apply(WATCHED, WholeLab.sample());
            lab.awaitReady(WATCHED);

            AuditLog audit = lab.cluster().auditLog().orElseThrow();
            for (Provider provider : Provider.values()) {
                assertThat(audit.since(audit.start()))
                        .filteredOn(request -> request.user().equals(provider.user()))
                        .isNotEmpty()
                        .filteredOn(request -> request.code() == 403)
                        .extracting(AuditEntry::uri)
                        .as("requests of %s that were refused", provider)
                        .isEmpty();
                assertSecretsOfOthersAreRefused(lab, provider.user());
            }
        }
    }

    private static void assertSecretsOfOthersAreRefused(WholeLab lab, String user) {
        for (String verb : List.of("get", "list", "watch", "create", "patch")) {
            assertThat(may(lab, user, verb, WATCHED))
                    .as("%s may %s here", user, verb)
                    .isTrue();
            assertThat(may(lab, user, verb, OTHER))
                    .as("%s may %s there", user, verb)
                    .isFalse();
            assertThat(may(lab, user, verb, ""))
                    .as("%s may %s everywhere", user, verb)
                    .isFalse();
        }
        assertThat(may(lab, user, "delete", WATCHED))
                .as("the kubeconfig of a failed installation is the control-plane provider's to delete")
                .isEqualTo(user.equals(Provider.CONTROL_PLANE.user()));
        assertThat(may(lab, user, "delete", OTHER)).isFalse();
        Config as = new ConfigBuilder(lab.admin().getConfiguration())
                .withImpersonateUsername(user)
                .build();
        try (var client = new KubernetesClientBuilder().withConfig(as).build()) {
            assertThatExceptionOfType(KubernetesClientException.class)
                    .isThrownBy(() -> client.secrets()
                            .inNamespace(OTHER)
                            .withName("kubeconfig")
                            .get())
                    .satisfies(e -> assertThat(e.getCode()).isEqualTo(403));
            assertThat(client.secrets()
                            .inNamespace(WATCHED)
                            .withName("pull-secret")
                            .get())
                    .isNotNull();
        }
    }

    private static boolean may(WholeLab lab, String user, String verb, String namespace) {
        return lab.admin()
                .resource(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(user)
                        .withNewResourceAttributes()
                        .withVerb(verb)
                        .withResource("secrets")
                        .withNamespace(namespace)
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .create()
                .getStatus()
                .getAllowed();
    }

    /** Objects of the overlay in addition to the components with these variables. */
    private static void bindInTheNamespace(TestCluster cluster, Path root) {
        for (String name : List.of(WATCHED, OTHER)) {
            cluster.admin()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .build())
                    .create();
        }
        cluster.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("kubeconfig")
                        .withNamespace(OTHER)
                        .endMetadata()
                        .build())
                .create();
        for (String part : List.of("bootstrap", "controlplane")) {
            List<GenericKubernetesResource> overlay = overlay(root, part);
            assertThat(overlay)
                    .filteredOn(object -> object.getKind().equals("ClusterRoleBinding")
                            && object.getMetadata().getName().endsWith("-manager-rolebinding"))
                    .singleElement()
                    .satisfies(binding -> assertThat(binding.<String>get("roleRef", "name"))
                            .isEqualTo("capoa-" + part + "-cluster-scoped-role"));
            overlay.stream()
                    .filter(object -> object.getKind().equals("RoleBinding")
                            && WATCHED.equals(object.getMetadata().getNamespace()))
                    .forEach(binding -> cluster.admin().resource(binding).create());
        }
    }

    private static List<GenericKubernetesResource> overlay(Path root, String part) {
        Path folder = root.resolve("config").resolve(part).resolve("namespaced");
        try {
            Process kubectl = new ProcessBuilder(
                            Binaries.ofThisProcess().require(Tool.KUBECTL).toString(), "kustomize", folder.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String yaml = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return ManifestFiles.parse(
                    Variables.fill(yaml, Map.of("CAPOA_WATCH_NAMESPACE", WATCHED)), folder.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
