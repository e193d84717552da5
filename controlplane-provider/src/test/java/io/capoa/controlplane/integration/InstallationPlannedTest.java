package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.api.Annotations;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LimitedUser;
import io.capoa.lab.cluster.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What is known before the first host is taken keeps an installation that would fail from beginning. */
@ExtendWith(SharedControlPlane.class)
@Execution(ExecutionMode.CONCURRENT)
class InstallationPlannedTest {

    private static final String PLANNED = "InstallationPlanned";
    private static final int ENOUGH = 32_768;

    @Test
    void aHostWithoutTheDiskOfItsHints_blocks_untilTheHintsAreCorrected(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers peers = scene.peers;
            hosts(peers, "/dev/vda");
            peers.controlPlane();
            within(() -> scene.is(PLANNED, "False"));

            assertThat(scene.reason(PLANNED)).isEqualTo("BlockingFindings");
            assertThat(scene.message(PLANNED))
                    .contains("host-disk: BareMetalHost %s/host-3, spec.rootDeviceHints".formatted(peers.namespace))
                    .contains("remedy: correct spec.rootDeviceHints")
                    .contains(Annotations.ACCEPT_PLAN_FINDINGS + "=host-disk");
            for (String summary : new String[] {"Ready", "Available"}) {
                assertThat(scene.reason(summary)).as(summary).isEqualTo("BlockingFindings");
                assertThat(scene.message(summary)).as(summary).isEqualTo(scene.message(PLANNED));
            }
            assertThat(scene.message("MachinesCreated")).contains("0 of 3", PLANNED);
            assertThat(scene.reason("InstallSucceeding")).isEqualTo("BlockingFindings");
            assertNothingIsTaken(peers);

            peers.merge(
                    peers.client
                            .resources(BareMetalHost.class)
                            .inNamespace(peers.namespace)
                            .withName("host-3")
                            .require(),
                    "{\"spec\":{\"rootDeviceHints\":{\"deviceName\":\"/dev/sda\"}}}");
            // Hosts are not watched: a change of the control plane has the plan made at once.
            scene.untilReconciled();
            scene.untilHostsAreAwaited();
            within(() -> scene.isTrue(PLANNED));
            assertThat(scene.message(PLANNED)).contains("warnings:\n* spare-host");
        }
    }

    @Test
    void aFindingThatIsAccepted_doesNotBlock_andAWrongNameIsSaid(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.host("host-1", "/dev/vda", ENOUGH);
            peers.controlPlane("metadata: {annotations: {%s: host-disks}}".formatted(Annotations.ACCEPT_PLAN_FINDINGS));
            within(() -> scene.is(PLANNED, "False"));
            assertThat(scene.message(PLANNED)).contains("names no finding with host-disks");
            assertNothingIsTaken(peers);

            peers.edit("metadata: {annotations: {%s: host-disk}}".formatted(Annotations.ACCEPT_PLAN_FINDINGS));
            scene.untilHostsAreAwaited();
            within(() -> scene.isTrue(PLANNED));
            assertThat(scene.reason(PLANNED)).isEqualTo("FindingsAccepted");
            assertThat(scene.message(PLANNED)).contains("accepted:\n* host-disk", "warnings:\n* hosts-too-few");
        }
    }

    /** Applied in one file, in any order, or by automation that adds hosts later: Metal3 waits for them. */
    @Test
    void hostsThatAreStillToCome_doNotBlock(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.host("host-1", "/dev/sda", ENOUGH);
            peers.newHost("host-2");
            peers.controlPlane();
            scene.untilHostsAreAwaited();
            within(() -> scene.isTrue(PLANNED));

            assertThat(scene.message(PLANNED))
                    .contains("warnings:\n* hosts-too-few", "takes 3 hosts, and there are 2 of 2")
                    .contains("not available yet", ": host-2");
        }
    }

    /** Their hosts have come since, and the API server is not asked for them again. */
    @Test
    void warnings_areNoLongerSaid_onceTheInstallationHasStarted(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.host("host-1", "/dev/sda", ENOUGH);
            peers.controlPlane();
            scene.untilHostsAreAwaited();
            within(() -> scene.message(PLANNED).contains("warnings:\n* hosts-too-few"));
            String since =
                    ControlPlaneScene.condition(peers, PLANNED).orElseThrow().lastTransitionTime();

            peers.installState("installing");
            within(() -> scene.reason("InstallSucceeding").equals("Installing"));

            assertThat(ControlPlaneScene.condition(peers, PLANNED)).hasValueSatisfying(condition -> {
                assertThat(condition.status()).isEqualTo("True");
                assertThat(condition.reason()).isEqualTo(PLANNED);
                assertThat(condition.message()).isEmpty();
                assertThat(condition.lastTransitionTime()).isEqualTo(since);
            });
        }
    }

    @Test
    void anotherControlPlaneThatTheClusterNames_isNotPlanned(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers peers = scene.peers;
            hosts(peers, "/dev/vda");
            peers.controlPlane();
            within(() -> scene.is(PLANNED, "False"));

            peers.merge(
                    peers.client
                            .resources(Cluster.class)
                            .inNamespace(peers.namespace)
                            .withName(peers.name)
                            .require(),
                    "{\"spec\":{\"controlPlaneRef\":{\"name\":\"other\"}}}");
            peers.edit("metadata: {annotations: {%s: host-disk}}".formatted(Annotations.ACCEPT_PLAN_FINDINGS));

            within(() -> scene.isTrue(PLANNED));
        }
    }

    @Test
    void anInstallationThatHasBegun_isNotHeldUp(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            within(() -> scene.isTrue(PLANNED));
            assertThat(scene.message(PLANNED)).contains("no BareMetalHost in the namespace");

            peers.host("host-1", "/dev/vda", 1024);
            peers.client.resource(peers.machines().getFirst()).delete();
            scene.untilHostsAreAwaited();
            scene.untilReconciled();
            assertThat(scene.isTrue(PLANNED)).isTrue();
            assertThat(peers.machines()).hasSize(3);
        }
    }

    @Test
    @ResourceLock("limited user")
    void hostsThatMayNotBeRead_blockNothing(RunningControlPlane shared) {
        TestCluster cluster = shared.cluster;
        try (LimitedUser user = new LimitedUser(cluster, "capoa-controlplane-manager-role")) {
            user.mayNot("list", "metal3.io", "baremetalhosts");
            try (ControlPlaneScene scene = ControlPlaneScene.as(cluster, KnownUsers.LIMITED)) {
                scene.peers.host("host-1", "/dev/vda", ENOUGH);
                scene.peers.controlPlane();
                scene.untilHostsAreAwaited();
                within(() -> scene.is(PLANNED, "Unknown"));
                assertThat(scene.reason(PLANNED)).isEqualTo("PlanIncomplete");
                assertThat(scene.message(PLANNED)).contains("grant verb list on resource baremetalhosts");
                assertThat(scene.reason("Ready")).isNotEqualTo("PlanIncomplete");
            }
        }
    }

    /** That of the hosts; the condition is in the status that is written anyway. */
    @Test
    void anInstallationWithoutFindings_costsOneRead(RunningControlPlane shared) {
        assumeTrue(
                shared.cluster.auditLog().isPresent(), "this kind of cluster keeps no audit log that tests can read");
        AuditLog audit = shared.cluster.auditLog().orElseThrow();
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers peers = scene.peers;
            hosts(peers, "/dev/sda");
            for (String host : List.of("host-1", "host-2", "host-3")) {
                peers.copyHardware(host);
            }
            AuditLog.Mark begin = audit.mark();
            peers.controlPlane();
            scene.untilHostsAreAwaited();
            within(() -> scene.isTrue(PLANNED));
            scene.untilReconciled();

            List<String> reads = audit.since(begin, peers.namespace).stream()
                    .filter(entry -> entry.user().equals(shared.cluster.userName(KnownUsers.CONTROL_PLANE_PROVIDER)))
                    .filter(entry -> entry.namespace().equals(peers.namespace))
                    .filter(entry -> entry.verb().equals("list") || entry.verb().equals("get"))
                    .map(entry -> "%s %s %s".formatted(entry.verb(), entry.resource(), entry.name()))
                    .toList();
            // The pull secret of the release is read on its own, until the cache has the ClusterImageSet.
            assertThat(reads.stream().filter(read -> !read.equals("get secrets pull-secret")))
                    .as("what the Machines are created from, and hosts, whose hardware is in their status")
                    .containsExactly("get metal3machinetemplates one-controlplane", "list baremetalhosts ");
            assertThat(reads)
                    .as("nothing between them, where pull secrets of hosts would be read")
                    .containsSequence("get metal3machinetemplates one-controlplane", "list baremetalhosts ");
        }
    }

    private static void hosts(ControlPlanePeers peers, String lastDisk) {
        peers.host("host-1", "/dev/sda", ENOUGH);
        peers.host("host-2", "/dev/sda", ENOUGH);
        peers.host("host-3", lastDisk, ENOUGH);
    }

    private static void assertNothingIsTaken(ControlPlanePeers peers) {
        assertThat(peers.machines()).isEmpty();
        assertThat(peers.install())
                .as("of whose hosts those of workers would be taken")
                .isNull();
        OpenshiftAssistedControlPlaneStatus status = peers.current().getStatus();
        assertThat(status.replicas()).isZero();
    }
}
