package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LimitedUser;
import io.capoa.lab.cluster.OpenKind;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A missing right is reported as a condition of the control plane with verb, resource and remedy. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("limited user")
class ControlPlaneRightsTest {

    private static final String OTHER_GROUP = "infrastructure.example.com";

    private LimitedUser user;
    private TestCluster cluster;

    @BeforeEach
    void prepare(TestCluster cluster) {
        this.cluster = cluster;
        user = new LimitedUser(cluster, "capoa-controlplane-manager-role");
    }

    @AfterEach
    void close() {
        user.close();
    }

    @Test
    void infrastructureOfAnotherGroup_isReportedAtEachStep_andUsedOnceAllowed() {
        install("XMachineTemplate", "xmachinetemplates");
        install("XMachine", "xmachines");
        try (ControlPlaneScene scene = ControlPlaneScene.as(cluster, KnownUsers.LIMITED)) {
            ControlPlanePeers peers = scene.peers;
            peers.apply("""
                apiVersion: %s/v1
                kind: XMachineTemplate
                metadata: {name: x}
                spec: {template: {spec: {size: 3}}}
                """.formatted(OTHER_GROUP));
            peers.controlPlane("""
                spec:
                  replicas: 1
                  config: {apiVIPs: [], ingressVIPs: []}
                  machineTemplate:
                    spec: {infrastructureRef: {apiGroup: %s, kind: XMachineTemplate, name: x}}
                """.formatted(OTHER_GROUP));
            within(() -> scene.message("MachinesCreated")
                    .contains("grant verb get on resource xmachinetemplates of API group \"" + OTHER_GROUP));
            assertThat(scene.reason("MachinesCreated")).isEqualTo("InfrastructureTemplateCloningFailed");
            assertThat(scene.message("Ready")).contains("xmachinetemplates", peers.namespace);
            assertThat(peers.deployment()).as("the rest goes on").isNotNull();

            rights("get");
            within(() -> scene.message("MachinesCreated").contains("grant verb create on resource xmachines"));

            rights("get", "create");
            within(() -> !peers.machines().isEmpty());
            within(() -> scene.message("Ready").contains("cannot list resource \"xmachines\""));
            assertThat(scene.reason("Ready")).isEqualTo("Forbidden");
            assertThat(scene.message("Ready")).contains("grant verb list on resource xmachines");

            rights("get", "create", "list", "watch");
            within(() -> scene.is("MachinesCreated", "True")
                    && !scene.reason("Ready").equals("Forbidden"));
        }
    }

    @Test
    void machinesThatMayNotBeDeleted_areSaidWhileTheControlPlaneIsBeingDeleted() {
        try (ControlPlaneScene scene = ControlPlaneScene.as(cluster, KnownUsers.LIMITED)) {
            ControlPlanePeers peers = scene.peers;
            peers.controlPlane();
            scene.untilHostsAreAwaited();
            user.mayNot("delete", "cluster.x-k8s.io", "machines");

            peers.client.resource(peers.current()).delete();
            within(() -> scene.reason("Deleting").equals("Forbidden"));
            assertThat(scene.message("Deleting"))
                    .contains("grant verb delete on resource machines", "cluster.x-k8s.io", peers.namespace);
            assertThat(scene.reason("Ready")).isEqualTo("Forbidden");

            user.mayAll();
            within(() -> gone(peers));
        }
    }

    @Test
    void machinesThatMayNotBeListed_areSaid() {
        user.mayNot("list", "cluster.x-k8s.io", "machines");
        try (ControlPlaneScene scene = ControlPlaneScene.as(cluster, KnownUsers.LIMITED)) {
            scene.peers.controlPlane();
            within(() -> scene.reason("Ready").equals("Forbidden"));
            assertThat(scene.message("Ready"))
                    .contains("may not list resource machines", "grant verbs list and watch", scene.peers.namespace);

            user.mayAll();
            scene.untilHostsAreAwaited();
        }
    }

    @Test
    void infrastructureMachines_areWatchedOnlyInTheNamespacesOfTheManager() {
        assumeTrue(cluster.auditLog().isPresent(), "this kind of cluster keeps no audit log that tests can read");
        AuditLog audit = cluster.auditLog().orElseThrow();
        AuditLog.Mark begin = audit.mark();
        try (ControlPlaneScene scene = ControlPlaneScene.as(cluster, KnownUsers.LIMITED)) {
            scene.peers.controlPlane();
            scene.untilHostsAreAwaited();
            assertThat(audit.since(begin, "metal3machines").stream()
                            .filter(entry -> entry.user().equals(cluster.userName(KnownUsers.LIMITED))
                                    && entry.resource().equals("metal3machines")
                                    && entry.verb().equals("list"))
                            .map(AuditEntry::namespace))
                    .contains(scene.peers.namespace)
                    .doesNotContain("");
        }
    }

    private void rights(String... verbs) {
        user.mayAlso(OTHER_GROUP, List.of("xmachines", "xmachinetemplates"), verbs);
    }

    private static boolean gone(ControlPlanePeers peers) {
        return peers.client
                        .resources(OpenshiftAssistedControlPlane.class)
                        .inNamespace(peers.namespace)
                        .withName(peers.name)
                        .get()
                == null;
    }

    private void install(String kind, String plural) {
        CustomResourceDefinition definition = new OpenKind(OTHER_GROUP, "v1", kind, plural, "Namespaced").definition();
        definition.getMetadata().setLabels(Map.of("cluster.x-k8s.io/v1beta2", "v1"));
        cluster.admin().resource(definition).serverSideApply();
        within(() -> cluster.admin().supports(OTHER_GROUP + "/v1", kind));
    }
}
