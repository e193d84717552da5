package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.ProjectRoot;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Least privilege, both ways: nothing that a provider does is refused, and what its role grants is used, in the life of a
 * cluster or in the test that is named here.
 */
@Tag("whole")
@ExtendWith(WholeLab.Shared.class)
class RightsTest {

    private static final Map<String, String> RARE_OF_BOOTSTRAP = Map.of();

    private static final Map<String, String> RARE_OF_CONTROL_PLANE = Map.of();

    @Test
    void whatTheRolesGrant_isWhatTheProvidersUse(WholeLab lab) throws IOException {
        assumeTrue(lab.cluster().auditLog().isPresent(), "this kind of cluster keeps no audit log that tests can read");
        liveAWholeLife(lab);

        AuditLog audit = lab.cluster().auditLog().orElseThrow();
        List<AuditEntry> requests = audit.since(audit.start());
        assertFits(lab, requests, KnownUsers.BOOTSTRAP_PROVIDER, "bootstrap", RARE_OF_BOOTSTRAP);
        assertFits(lab, requests, KnownUsers.CONTROL_PLANE_PROVIDER, "controlplane", RARE_OF_CONTROL_PLANE);
    }

    /** Installation of control planes and workers, one more control plane, one less, and deletion. */
    private static void liveAWholeLife(WholeLab lab) {
        String namespace = lab.namespace(6);
        lab.apply(namespace, UnaryOperator.identity());
        lab.awaitReady(namespace);
        replicas(lab, namespace, 4);
        await().atMost(WholeLab.SOON)
                .until(() -> lab.controlPlane(namespace).getStatus().readyReplicas() == 4);
        replicas(lab, namespace, 3);
        await().atMost(WholeLab.SOON)
                .until(() -> lab.controlPlane(namespace).getStatus().replicas() == 3);
        var unused = lab.admin()
                .genericKubernetesResources("cluster.x-k8s.io/v1beta2", "Cluster")
                .inNamespace(namespace)
                .withName("multinode")
                .delete();
        await().atMost(WholeLab.SOON)
                .until(() -> lab.admin()
                        .genericKubernetesResources("cluster.x-k8s.io/v1beta2", "Cluster")
                        .inNamespace(namespace)
                        .list()
                        .getItems()
                        .isEmpty());
    }

    private static void replicas(WholeLab lab, String namespace, int replicas) {
        var unused = lab.admin()
                .resource(lab.controlPlane(namespace))
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"replicas\":%d}}".formatted(replicas));
    }

    private static void assertFits(
            WholeLab lab, List<AuditEntry> requests, String user, String provider, Map<String, String> rare)
            throws IOException {
        String name = lab.cluster().userName(user);
        List<AuditEntry> own =
                requests.stream().filter(request -> request.user().equals(name)).toList();
        assertThat(own).isNotEmpty();
        assertThat(own)
                .filteredOn(request -> request.code() == 403)
                .extracting(AuditEntry::uri)
                .as("requests of the %s provider that were refused", provider)
                .isEmpty();

        SortedSet<String> unused = new TreeSet<>();
        Right.granted(role(provider)).forEach(right -> unused.add(right.toString()));
        assertThat(unused)
                .as("rare rights that the role of the %s provider does not grant", provider)
                .containsAll(rare.keySet());
        own.stream().flatMap(Right::needed).forEach(right -> unused.remove(right.toString()));
        unused.removeAll(rare.keySet());
        assertThat(unused)
                .as("rights of the %s provider that nothing uses", provider)
                .isEmpty();
    }

    private static ClusterRole role(String provider) throws IOException {
        return new KubernetesSerialization()
                .unmarshal(
                        Files.readString(ProjectRoot.find().resolve("config/%s/rbac/role.yaml".formatted(provider))),
                        ClusterRole.class);
    }
}
