package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.ExtensionConfig;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.extension.LifecycleRecorder;
import io.capoa.lab.extension.LifecycleRecorder.Call;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** An upgrade of a cluster by its topology, with the runtime extension of the release and one that records hooks. */
@Tag("e2e")
@OnRealLab
@ResourceLock("the release's ExtensionConfig")
class TopologyUpgradeTest {

    private static final String NAME = "topo";
    private static final String NEXT = "v1.34.5";
    private static final String LATER = "v1.35.5";

    private final LifecycleRecorder recorder = LifecycleRecorder.start();
    private final RealLab lab;
    private final String namespace;

    TopologyUpgradeTest(RealLab lab) {
        this.lab = lab;
        this.namespace = lab.namespace(5);
    }

    @AfterEach
    void unregister() {
        List.of("capoa-controlplane", "recorder-" + namespace)
                .forEach(name -> lab.admin()
                        .resources(ExtensionConfig.class)
                        .withName(name)
                        .delete());
        recorder.close();
    }

    @Test
    void theUpgrade_waitsForTheHooks_andKeepsEveryMachineAndHost() throws Exception {
        register();
        install();
        Map<String, String> machines = uids(Machine.class);
        Map<String, String> hosts = uids(BareMetalHost.class);
        AuditLog.Mark before = lab.audit().mark();

        recorder.hold("BeforeControlPlaneUpgrade");
        patch(
                "variables",
                variables(Map.of("distributionVersion", "4.21.1", "upgrade", Map.of("channel", "stable-4.21"))));
        awaitUpgradeAvailable("UpgradeVersionMismatch", "v1.33.5", NEXT, "set spec.topology.version to " + NEXT);
        patch("version", NEXT);
        awaitUpgradeAvailable("UpgradeWaitingForVersion", "from v1.33.5 to " + NEXT, "TopologyReconciled");
        await().atMost(RealLab.SOON).until(() -> recorder.isWaiting("BeforeControlPlaneUpgrade"));
        assertThat(controlPlane().getStatus().distributionVersion()).isEqualTo("4.20.3");
        assertThat(recorder.calls()).containsExactly(new Call("BeforeClusterUpgrade", NEXT));

        recorder.release("BeforeControlPlaneUpgrade");
        awaitCalls(LifecycleRecorder.HOOKS.stream()
                .map(hook -> new Call(hook, NEXT))
                .toList());
        lab.awaitAvailable(namespace, NAME, 5);
        assertUpgraded("4.21.1", NEXT, machines, hosts);
        assertThat(writesOfProviders(before)).isEmpty();
        assertThat(AuditedWrites.atRest(lab, namespace)).isEmpty();
    }

    @Test
    void twoMinorVersions_areTwoSteps_withTheReleaseOfEach() throws Exception {
        register();
        install();
        Map<String, String> machines = uids(Machine.class);
        Map<String, String> hosts = uids(BareMetalHost.class);
        var unused = clusterClass().patch(PatchContext.of(PatchType.JSON_MERGE), """
                {"spec":{"upgrade":{"external":{"generateUpgradePlanExtension":"generate-upgrade-plan.capoa-controlplane"}}}}""");

        patch(
                "variables",
                variables(Map.of(
                        "releases",
                        List.of(
                                Map.of("kubernetesVersion", NEXT, "version", "4.21.1", "channel", "stable-4.21"),
                                Map.of("kubernetesVersion", LATER, "version", "4.22.2", "channel", "stable-4.22")))));
        patch("version", LATER);

        awaitCalls(List.of(
                new Call("BeforeClusterUpgrade", LATER),
                new Call("BeforeControlPlaneUpgrade", NEXT),
                new Call("AfterControlPlaneUpgrade", NEXT),
                new Call("BeforeWorkersUpgrade", NEXT),
                new Call("AfterWorkersUpgrade", NEXT),
                new Call("BeforeControlPlaneUpgrade", LATER),
                new Call("AfterControlPlaneUpgrade", LATER),
                new Call("BeforeWorkersUpgrade", LATER),
                new Call("AfterWorkersUpgrade", LATER),
                new Call("AfterClusterUpgrade", LATER)));
        lab.awaitAvailable(namespace, NAME, 5);
        assertUpgraded("4.22.2", LATER, machines, hosts);
    }

    private void register() throws IOException {
        RuntimeExtensionFile.register(lab, namespace);
        RuntimeExtensionFile.create(
                lab, Serialization.unmarshal(recorder.extensionConfig(namespace), ExtensionConfig.class));
    }

    private void awaitCalls(List<Call> calls) {
        await().atMost(RealLab.SOON)
                .untilAsserted(
                        () -> assertThat(recorder.calls()).as(this::state).isEqualTo(calls));
    }

    private void install() throws IOException {
        lab.applySample(namespace, ClusterctlTest::secretAlone);
        lab.apply(namespace, Files.readString(Generated.file(lab, "clusterclass-openshift-baremetal.yaml")));
        await().atMost(RealLab.SOON).until(() -> clusterClass().require().get("status", "observedGeneration") != null);
        lab.apply(namespace, Generated.cluster(lab, "cluster-template-topology.yaml", NAME, namespace));
        lab.awaitAvailable(namespace, NAME, 5);
        await().atMost(RealLab.SOON)
                .until(() -> "4.20.3".equals(controlPlane().getStatus().distributionVersion()));
    }

    private void awaitUpgradeAvailable(String reason, String... parts) {
        await().atMost(RealLab.SOON)
                .untilAsserted(() -> assertThat(controlPlane().getStatus().conditions())
                        .as(this::state)
                        .anySatisfy(condition -> {
                            assertThat(condition.type()).isEqualTo("UpgradeAvailable");
                            assertThat(condition.reason()).isEqualTo(reason);
                            assertThat(condition.message()).contains(parts);
                        }));
    }

    private void assertUpgraded(
            String release, String kubernetes, Map<String, String> machines, Map<String, String> hosts) {
        assertThat(controlPlane().getStatus().distributionVersion()).isEqualTo(release);
        assertThat(controlPlane().getStatus().versions())
                .singleElement()
                .satisfies(version -> assertThat(version.version()).isEqualTo(kubernetes));
        assertThat(uids(Machine.class)).isEqualTo(machines);
        assertThat(uids(BareMetalHost.class)).isEqualTo(hosts);
        assertThat(lab.machines(namespace))
                .allSatisfy(machine -> assertThat(Fields.string(machine, "status", "nodeInfo", "kubeletVersion"))
                        .isEqualTo(kubernetes));
        assertThat(lab.machines(namespace))
                .filteredOn(
                        machine -> machine.getMetadata().getLabels().containsKey("cluster.x-k8s.io/deployment-name"))
                .hasSize(2)
                .allSatisfy(machine ->
                        assertThat(Fields.string(machine, "spec", "version")).isEqualTo(kubernetes));
        await().atMost(RealLab.SOON).until(() -> ConditionView.isTrue(cluster().require(), "TopologyReconciled"));
    }

    /** Writes to hosts by a provider of this project. */
    private List<String> writesOfProviders(AuditLog.Mark since) {
        return lab.audit().since(since).stream()
                .filter(AuditEntry::isWrite)
                .filter(entry -> entry.namespace().equals(namespace)
                        && entry.resource().equals("baremetalhosts")
                        && entry.user().contains("capoa"))
                .map(entry -> entry.user() + " " + entry.verb() + " " + entry.name())
                .toList();
    }

    /** As a user does; core writes other fields of the Cluster at any time. */
    private void patch(String field, Object value) {
        var unused = cluster()
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Serialization.asJson(Map.of("spec", Map.of("topology", Map.of(field, value)))));
    }

    private List<Object> variables(Map<String, Object> values) {
        List<Object> variables = new ArrayList<>(Fields.list(cluster().require(), "spec", "topology", "variables"));
        variables.removeIf(one -> values.containsKey(Fields.text(one, "name")));
        values.forEach((name, value) -> variables.add(Map.of("name", name, "value", value)));
        return variables;
    }

    private OpenshiftAssistedControlPlane controlPlane() {
        return lab.admin()
                .resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .list()
                .getItems()
                .getFirst();
    }

    private Resource<GenericKubernetesResource> clusterClass() {
        return lab.admin()
                .genericKubernetesResources("cluster.x-k8s.io/v1beta2", "ClusterClass")
                .inNamespace(namespace)
                .withName("openshift-baremetal");
    }

    private Resource<Cluster> cluster() {
        return lab.admin().resources(Cluster.class).inNamespace(namespace).withName(NAME);
    }

    private String state() {
        return lab.describe(namespace, NAME, "--show-conditions=all") + "\n"
                + Serialization.asYaml(controlPlane().getStatus())
                + Serialization.asYaml(controlPlane().getSpec());
    }

    private Map<String, String> uids(Class<? extends HasMetadata> kind) {
        return lab.admin().resources(kind).inNamespace(namespace).list().getItems().stream()
                .collect(Collectors.toMap(
                        object -> object.getMetadata().getName(),
                        object -> object.getMetadata().getUid()));
    }
}
