package io.capoa.lab.manager;

import static io.capoa.lab.manager.ManagerChild.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.ExistingCluster;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Watched namespaces and identity of a manager on a real API server. Every test has users of its own. */
@Tag("full")
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
class ScopeAndIdentityTest {

    private static final String BEFORE = "manager-before";
    private static final String AFTER = "manager-after";
    private static final Pattern TOKEN = Pattern.compile("(?m)^(\\s+)token: (\\S+)$");

    /** The shared cluster with users of this test. */
    private final TestCluster cluster;

    private final KubernetesClient admin;
    private final Set<String> namespaces = new HashSet<>();

    @TempDir
    Path folder = Path.of("");

    ScopeAndIdentityTest(TestCluster shared) {
        cluster = ExistingCluster.of(shared.adminKubeconfig(), shared.auditLog());
        admin = cluster.admin();
    }

    @AfterEach
    void stop() {
        mayNothing(BEFORE);
        mayNothing(AFTER);
        namespaces.forEach(namespace -> admin.namespaces().withName(namespace).delete());
        cluster.close();
    }

    private void mayAll(String user) {
        admin.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(cluster.userName(user))
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                        .withSubjects(cluster.subject(user))
                        .build())
                .serverSideApply();
    }

    private void mayNothing(String user) {
        var unused = admin.rbac()
                .clusterRoleBindings()
                .withName(cluster.userName(user))
                .delete();
    }

    private void create(String namespace, String name) {
        namespaces.add(namespace);
        Namespace made = new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build();
        admin.resource(made).serverSideApply();
        var unused = admin.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withData(Map.of("delay", "0"))
                        .build())
                .create();
    }

    private boolean seen(String namespace, String name) {
        return admin.configMaps()
                .inNamespace(namespace)
                .withName(name)
                .require()
                .getData()
                .containsKey("seen");
    }

    private static String token(String kubeconfig) {
        return TOKEN.matcher(kubeconfig).results().findFirst().orElseThrow().group(2);
    }

    @Test
    void ofSeveralNamespaces_eachIsWatched_andNoOther() throws Exception {
        mayAll(BEFORE);
        create("scope-a", "early");
        create("scope-c", "early");
        try (var manager = ManagerChild.start(folder, cluster.kubeconfigOf(BEFORE), "--namespace=scope-a, scope-b")) {
            await().atMost(PATIENCE).until(manager::isReady);
            create("scope-a", "late");
            create("scope-b", "late");
            create("scope-c", "late");

            await().atMost(PATIENCE)
                    .until(() -> Stream.of("early", "late").allMatch(name -> seen("scope-a", name))
                            && seen("scope-b", "late"));

            // Another object in a watched namespace shows that there was enough time.
            create("scope-b", "last");
            await().atMost(PATIENCE).until(() -> seen("scope-b", "last"));
            assertThat(seen("scope-c", "early")).isFalse();
            assertThat(seen("scope-c", "late")).isFalse();
        }
    }

    /** Revokes the rights of the old identity, so that only the new one can succeed. */
    @Test
    void aTokenFileThatIsReplaced_isUsedAtOnce() throws Exception {
        mayAll(BEFORE);
        var inline = Files.readString(cluster.kubeconfigOf(BEFORE));
        var token = Files.writeString(folder.resolve("token"), token(inline));
        var kubeconfig = Files.writeString(
                folder.resolve("with-token-file"), TOKEN.matcher(inline).replaceAll("$1tokenFile: token"));
        try (var manager = ManagerChild.start(folder, kubeconfig, "--namespace=token-file")) {
            await().atMost(PATIENCE).until(manager::isReady);
            create("token-file", "before");
            await().atMost(PATIENCE).until(() -> seen("token-file", "before"));

            mayAll(AFTER);
            mayNothing(BEFORE);
            var unused = Files.writeString(token, token(Files.readString(cluster.kubeconfigOf(AFTER))) + "\n");
            create("token-file", "after");

            await().atMost(PATIENCE).until(() -> seen("token-file", "after"));
        }
    }
}
