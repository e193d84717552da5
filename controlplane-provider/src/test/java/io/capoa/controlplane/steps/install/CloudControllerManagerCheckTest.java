package io.capoa.controlplane.steps.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.testing.LinterManifests;
import io.capoa.controlplane.testing.Objects;
import io.capoa.runtime.events.RecordedEvent;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The linter in the reconcile: what it blocks, what it records, and what it remembers. */
class CloudControllerManagerCheckTest {

    private final List<RecordedEvent> events = new ArrayList<>();
    private final CloudControllerManagerCheck check =
            new CloudControllerManagerCheck((controlPlane, event) -> events.add(event), new InputMemory("v1"));
    private final ControlPlaneIdentity identity = external("External, cloudControllerManager: External");
    private final AtomicInteger reads = new AtomicInteger();

    @Test
    void aBlockingFinding_isTheMessage_withTheNumberOfOthers() throws IOException {
        assertThat(check.check(identity, List.of(map("1", "broken/uninitialized-not-tolerated"))))
                .isEqualTo(
                        new Blocker(
                                "CloudControllerManagerManifestsInvalid",
                                "the cloud controller manager in spec.config.manifestsConfigMapRefs cannot run: Deployment"
                                        + " openshift-cloud-controller-manager/aws-cloud-controller-manager,"
                                        + " spec.template.spec.tolerations: the taint"
                                        + " node.cloudprovider.kubernetes.io/uninitialized is not tolerated, which every Node"
                                        + " has until this workload removes it, so that its pods are never scheduled: add {key:"
                                        + " node.cloudprovider.kubernetes.io/uninitialized, operator: Exists, effect:"
                                        + " NoSchedule}; to install nevertheless, annotate the control plane with"
                                        + " controlplane.cluster.x-k8s.io/accept-ccm-finding-x7mct4xw=<your reason> (input lvjmdrcqkz)"));
        String text = LinterManifests.read("broken/uninitialized-not-tolerated").replace("apps/v1", "apps/v2");
        assertThat(check.check(identity, List.of(map("2", Map.of("a.yaml", text)))))
                .satisfies(blocker -> assertThat(blocker.message()).contains("=<your reason> (and 1 more) (input "));
    }

    @Test
    void anUnreadableKey_isNamedWithItsConfigMap() {
        assertThat(check.check(identity, List.of(map("1", Map.of("a.yaml", "a: ]")))))
                .satisfies(blocker ->
                        assertThat(blocker.message()).contains("key a.yaml of ConfigMap ccm, line 1: is not YAML"));
    }

    @Test
    void withoutConfigMaps_theCloudControllerManagerIsMissing() {
        assertThat(check.check(identity, List.of()))
                .satisfies(
                        blocker -> assertThat(blocker.message()).contains("no cloud controller manager is among them"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"None", "External", "External, cloudControllerManager: None"})
    void onOtherPlatforms_nothingIsLinted(String platform) {
        assertThat(check.check(external(platform), List.of(map("1", Map.of("a.yaml", "a: ]")))))
                .isNull();
    }

    @Test
    void patchesOfTheInstallersManifests_areNotManifests() throws IOException {
        assertThat(check.check(
                        identity,
                        List.of(map("1", "good/aws"), map("1", Map.of("cluster-network.patch_x", "- op: replace")))))
                .isNull();
    }

    @Test
    void warnings_areOneEvent_eachTimeTheyChange() throws IOException {
        check.check(identity, List.of(map("1", "broken/limits")));
        check.check(identity, List.of(map("1", "broken/limits")));
        check.check(identity, List.of(map("2", "broken/limits")));
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.warning()).isTrue();
            assertThat(event.reason()).isEqualTo("CloudControllerManagerWarnings");
            assertThat(event.note())
                    .isEqualTo("1 warning about the cloud controller manager in spec.config.manifestsConfigMapRefs,"
                            + " lint-ccm prints reasons and remedies: Deployment"
                            + " openshift-cloud-controller-manager/aws-cloud-controller-manager,"
                            + " spec.template.spec.containers[0].resources.limits: resources are limited");
        });

        check.check(identity, List.of(map("3", "broken/node-manager-tolerates-nothing")));
        assertThat(events.getLast().note())
                .startsWith("2 warnings about")
                .endsWith("DaemonSet openshift-cloud-controller-manager/azure-cloud-node-manager,"
                        + " spec.template.spec.tolerations: the taint node-role.kubernetes.io/master is not"
                        + " tolerated; spec.template.spec.tolerations: the taint node.kubernetes.io/not-ready"
                        + " is not tolerated");
        check.check(identity, List.of(map("4", "good/aws")));
        assertThat(events).hasSize(2);
    }

    @Test
    void anUnchangedConfigMap_isReadOnce() throws IOException {
        ConfigMap map = map("1", "good/aws");
        ConfigMap counted = new ConfigMap() {
            @Override
            public Map<String, String> getData() {
                reads.incrementAndGet();
                return super.getData();
            }
        };
        counted.setMetadata(map.getMetadata());
        counted.setData(map.getData());

        check.check(identity, List.of(counted));
        int first = reads.get();
        check.check(identity, List.of(counted));
        assertThat(reads.get()).isEqualTo(first).isPositive();

        check.forget(ResourceID.fromResource(identity.controlPlane()));
        check.check(identity, List.of(counted));
        assertThat(reads.get()).isGreaterThan(first);
    }

    @Test
    void anAcceptedFinding_doesNotBlock_andIsOneEvent() throws IOException {
        ConfigMap map = map("1", "broken/uninitialized-not-tolerated");
        String annotation = annotation(check.check(identity, List.of(map)));

        annotate(annotation, "the node manager tolerates it");
        assertThat(check.check(identity, List.of(map))).isNull();
        check.check(identity, List.of(map));
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.warning()).isTrue();
            assertThat(event.reason()).isEqualTo("CloudControllerManagerFindingsAccepted");
            assertThat(event.note())
                    .endsWith("Deployment openshift-cloud-controller-manager/aws-cloud-controller-manager,"
                            + " spec.template.spec.tolerations: the taint"
                            + " node.cloudprovider.kubernetes.io/uninitialized is not tolerated (accepted because: the"
                            + " node manager tolerates it)");
        });

        annotate(annotation, "another reason");
        check.check(identity, List.of(map));
        assertThat(events).hasSize(2);
    }

    @Test
    void anAcceptance_needsAReason_andCountsForItsFindingAlone() throws IOException {
        ConfigMap map = map("1", "broken/uninitialized-not-tolerated");
        String annotation = annotation(check.check(identity, List.of(map)));

        annotate(annotation, " ");
        assertThat(check.check(identity, List.of(map))).isNotNull();
        annotate(annotation, "it is tolerated");
        ConfigMap other = map(
                "2",
                Map.of(
                        "a.yaml",
                        LinterManifests.read("broken/uninitialized-not-tolerated")
                                .replace("apps/v1", "apps/v2")));
        assertThat(check.check(identity, List.of(other)))
                .satisfies(blocker -> assertThat(blocker.message())
                        .contains("apps/v2 is not served")
                        .doesNotContain("(and 1 more)"));
        assertThat(check.check(identity, List.of())).isNotNull();
    }

    /** The annotation that the message names. */
    private static String annotation(@Nullable Blocker blocker) {
        Matcher matcher = Pattern.compile("annotate the control plane with (\\S+)=")
                .matcher(blocker == null ? "" : blocker.message());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private void annotate(String annotation, String reason) {
        identity.controlPlane().getMetadata().setAnnotations(Map.of(annotation, reason));
    }

    private static ControlPlaneIdentity external(String platform) {
        return Objects.identity("{}", "platform: {type: " + platform + "}, manifestsConfigMapRefs: [{name: ccm}]");
    }

    private static ConfigMap map(String version, String set) throws IOException {
        return map(version, Map.of("ccm.yaml", LinterManifests.read(set)));
    }

    private static ConfigMap map(String version, Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("ccm")
                .withUid("uid")
                .withResourceVersion(version)
                .endMetadata()
                .withData(data)
                .build();
    }
}
