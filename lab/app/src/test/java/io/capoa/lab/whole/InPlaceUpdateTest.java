package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.ExtensionConfig;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineSet;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.StatusVersion;
import io.capoa.lab.cluster.ProjectRoot;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The version of a MachineDeployment is changed after an upgrade, with the runtime extension of the release. */
@Tag("full")
@Tag("whole")
@ExtendWith(WholeLab.Shared.class)
class InPlaceUpdateTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LONG_ENOUGH_TO_DELETE = Duration.ofSeconds(5);
    /** The nodes have left it behind after the upgrade. */
    private static final String VERSION_OF_SAMPLE = "v1.33.5";

    private static final String IN_PROGRESS = "in-place-updates.internal.cluster.x-k8s.io/update-in-progress";

    private final WholeLab lab;

    InPlaceUpdateTest(WholeLab lab) {
        this.lab = lab;
    }

    @AfterEach
    void withoutExtension() {
        lab.admin()
                .resources(ExtensionConfig.class)
                .withName("capoa-controlplane")
                .delete();
    }

    @Test
    void whileTheExtensionIsAway_nothingIsDeleted_andThenTheSameMachinesAndHostsAreUpToDate() throws IOException {
        String namespace = lab.namespace(5);
        lab.apply(namespace, WholeLab.sample());
        lab.awaitReady(namespace);
        register(namespace);
        Map<String, String> machines = uids(Machine.class, namespace);
        Map<String, String> objects = uids(BareMetalHost.class, namespace);
        Map<String, Long> hosts = hostGenerations(namespace);

        String version = upgraded(namespace);
        assertThat(lab.condition(namespace, "WorkersFollowInPlace"))
                .as("nothing warns where the extension is registered")
                .isEmpty();
        lab.stopProviders();
        bump(namespace, version);
        await().atMost(PATIENCE).until(() -> list(MachineSet.class, namespace).size() == 2);
        await().during(LONG_ENOUGH_TO_DELETE)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertUntouched(namespace, machines));

        lab.startProviders();
        await().atMost(PATIENCE).untilAsserted(() -> assertUpToDate(namespace, version));
        assertUntouched(namespace, machines);
        assertThat(uids(BareMetalHost.class, namespace)).isEqualTo(objects);
        assertThat(hostGenerations(namespace)).isEqualTo(hosts);
        await().atMost(PATIENCE).until(() -> list(MachineSet.class, namespace).size() == 1);

        bump(namespace, VERSION_OF_SAMPLE);
        await().atMost(PATIENCE).untilAsserted(() -> assertUpToDate(namespace, VERSION_OF_SAMPLE));
        assertUntouched(namespace, machines);
        lab.awaitReady(namespace);
    }

    /** As a user does, with the file of the release; for one namespace, because other suites share the lab. */
    private void register(String namespace) throws IOException {
        String file = Files.readString(
                ProjectRoot.find().resolve("config/controlplane/runtime-extension/extension_config.yaml"));
        lab.admin()
                .resource(
                        file + "  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: " + namespace + "}}\n")
                .create();
        await().atMost(PATIENCE)
                .until(() -> ConditionView.isTrue(
                        lab.admin()
                                .resources(ExtensionConfig.class)
                                .withName("capoa-controlplane")
                                .require(),
                        "Discovered"));
    }

    /** Upgrades the control plane; returns the Kubernetes version that all nodes run then. */
    private String upgraded(String namespace) {
        var unused = lab.admin()
                .resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName("multinode")
                .patch(
                        MERGE,
                        "{\"spec\":{\"distributionVersion\":\"4.21.1\",\"upgrade\":{\"channel\":\"stable-4.21\"}}}");
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(lab.controlPlane(namespace).getStatus().distributionVersion())
                    .isEqualTo("4.21.1");
            assertThat(lab.condition(namespace, "UpgradeCompleted"))
                    .hasValueSatisfying(condition ->
                            assertThat(condition.status() + condition.message()).isEqualTo("True"));
        });
        List<StatusVersion> versions = lab.controlPlane(namespace).getStatus().versions();
        assertThat(versions).hasSize(1);
        return versions.getFirst().version();
    }

    private Resource<MachineDeployment> deployment(String namespace) {
        return lab.admin()
                .resources(MachineDeployment.class)
                .inNamespace(namespace)
                .withName("multinode-worker");
    }

    private void bump(String namespace, String version) {
        var unused = deployment(namespace)
                .patch(MERGE, "{\"spec\":{\"template\":{\"spec\":{\"version\":\"%s\"}}}}".formatted(version));
    }

    private void assertUntouched(String namespace, Map<String, String> machines) {
        assertThat(uids(Machine.class, namespace)).isEqualTo(machines);
        assertThat(list(Machine.class, namespace))
                .allSatisfy(machine ->
                        assertThat(machine.getMetadata().getDeletionTimestamp()).isNull());
    }

    private void assertUpToDate(String namespace, String version) {
        List<Machine> workers = list(Machine.class, namespace).stream()
                .filter(machine -> machine.getMetadata().getLabels().containsKey("cluster.x-k8s.io/deployment-name"))
                .toList();
        assertThat(workers).hasSize(2).allSatisfy(machine -> {
            assertThat(Fields.string(machine, "spec", "version")).isEqualTo(version);
            assertThat(machine.getMetadata().getAnnotations()).doesNotContainKey(IN_PROGRESS);
            assertThat(ConditionView.isTrue(machine, "Ready")).isTrue();
        });
        MachineDeployment deployment = deployment(namespace).require();
        assertThat(Fields.integer(deployment, "status", "replicas")).isEqualTo(2);
        assertThat(Fields.integer(deployment, "status", "upToDateReplicas")).isEqualTo(2);
    }

    private <R extends HasMetadata> List<R> list(Class<R> kind, String namespace) {
        return lab.admin().resources(kind).inNamespace(namespace).list().getItems();
    }

    private Map<String, String> uids(Class<? extends HasMetadata> kind, String namespace) {
        return list(kind, namespace).stream()
                .collect(Collectors.toMap(
                        object -> object.getMetadata().getName(),
                        object -> object.getMetadata().getUid()));
    }

    private Map<String, Long> hostGenerations(String namespace) {
        return list(BareMetalHost.class, namespace).stream()
                .collect(Collectors.toMap(
                        host -> host.getMetadata().getName(),
                        host -> host.getMetadata().getGeneration()));
    }
}
