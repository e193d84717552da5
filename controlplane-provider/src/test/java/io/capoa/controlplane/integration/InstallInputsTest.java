package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Fields;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.runtime.status.ReportedConditions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The user's inputs of an installation: errors are reported, and corrections noticed. */
@ExtendWith({SharedCluster.class, SharedControlPlane.class})
@Execution(ExecutionMode.CONCURRENT)
class InstallInputsTest {

    @Test
    void manifestsThatAreMissing_keepTheInstallationFromStarting_andTheirArrivalIsNoticed(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers user = scene.peers;
            user.controlPlane("spec: {config: {manifestsConfigMapRefs: [{name: extra}]}}");
            within(() -> says(user, "ManifestsNotFound", "ConfigMap extra"));
            assertThat(user.install()).isNull();

            ConfigMap extra = configMap(user, "extra", Map.of("readme", ""));
            within(() -> says(user, "ManifestsInvalid", "key readme of ConfigMap extra"));

            user.merge(extra, "{\"data\":{\"readme\":null,\"a.yaml\":\"\"}}");
            within(() -> user.install() != null);
            assertThat(Fields.list(user.install(), "spec", "manifestsConfigMapRefs"))
                    .isEqualTo(List.of(Map.of("name", "extra")));
            assertThat(Fields.isTrue(user.install(), "spec", "holdInstallation"))
                    .isFalse();

            user.client.resource(extra).delete();
            within(() -> Fields.isTrue(user.install(), "spec", "holdInstallation"));
            configMap(user, "extra", Map.of("b.yaml", ""));
            within(() -> !Fields.isTrue(user.install(), "spec", "holdInstallation"));
        }
    }

    /** The manager lost its lease over the value of such a number, again after each restart. */
    @Test
    void aNumberOfAMillionDigits_isReported_andOnceCorrectedInstalled(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers user = scene.peers;
            ConfigMap manifests = configMap(
                    user,
                    "digits",
                    Map.of("ccm.yaml", "kind: Deployment\nspec: {replicas: " + "9".repeat(1_000_000) + "}\n"));
            user.controlPlane("""
                spec:
                  config:
                    apiVIPs: null
                    ingressVIPs: null
                    manifestsConfigMapRefs: [{name: digits}]
                    platform: {type: External, platformName: lab, cloudControllerManager: External}
                """);
            within(() -> says(
                    user,
                    "CloudControllerManagerManifestsInvalid",
                    "key ccm.yaml of ConfigMap digits, line 1: cannot be read (a number has more than 100 digits)"));
            assertThat(user.install()).isNull();

            replaceData(
                    user,
                    manifests,
                    Map.of("ccm.yaml", cloudControllerManager("node.cloudprovider.kubernetes.io/uninitialized")));
            within(() -> user.install() != null);
        }
    }

    /** The conditions are rewritten, so that another verdict than the one they hold would show that an input was parsed. */
    @Test
    void whatWasRefused_isNotParsedByTheNextManager_norWhatEndedThree(TestCluster cluster) {
        try (ControlPlaneScene scene = ControlPlaneScene.own(cluster)) {
            ControlPlanePeers user = scene.peers;
            String good = cloudControllerManager("node.cloudprovider.kubernetes.io/uninitialized");
            ConfigMap manifests = configMap(user, "ccm", Map.of("ccm.yaml", cloudControllerManager("another/taint")));
            user.controlPlane("""
                spec:
                  config:
                    apiVIPs: null
                    ingressVIPs: null
                    manifestsConfigMapRefs: [{name: ccm}]
                    platform: {type: External, platformName: lab, cloudControllerManager: External}
                """);
            within(() -> says(user, "CloudControllerManagerManifestsInvalid", " (input "));
            scene.running.stop();
            rewrite(user, "False", message -> message.replaceFirst(".* \\(", "as before ("));

            scene.running.start();
            scene.untilReconciled();
            assertThat(scene.message("InstallSucceeding")).startsWith("as before (input ");

            // Long, and right: only the attempts that the condition counts speak against it.
            AtomicReference<String> announced = new AtomicReference<>();
            Watch watch = user.client
                    .resources(OpenshiftAssistedControlPlane.class)
                    .inNamespace(user.namespace)
                    .watch(new Announcements(announced));
            try {
                replaceData(user, manifests, Map.of("ccm.yaml", good + "#".repeat(100_000)));
                within(() -> user.install() != null);
                within(() -> announced.get() != null);
            } finally {
                watch.close();
            }
            assertThat(announced.get()).endsWith(", attempt 1)");
            scene.running.stop();
            rewrite(user, "Unknown", message -> announced.get().replace("attempt 1", "attempt 3"));

            scene.running.start();
            within(() -> says(user, "CloudControllerManagerManifestsInvalid", "ended or failed 3 times"));
            within(() -> Fields.isTrue(user.install(), "spec", "holdInstallation"));

            replaceData(user, manifests, Map.of("ccm.yaml", good + "#".repeat(100_001)));
            within(() -> !Fields.isTrue(user.install(), "spec", "holdInstallation"));
        }
    }

    private static void replaceData(ControlPlanePeers user, ConfigMap map, Map<String, String> data) {
        map.setData(data);
        map.getMetadata().setResourceVersion(null);
        user.client.resource(map).update();
    }

    /** Writes into condition InstallSucceeding what another manager might have left there. */
    private static void rewrite(ControlPlanePeers user, String status, UnaryOperator<String> message) {
        OpenshiftAssistedControlPlane controlPlane = user.current();
        List<Condition> conditions = controlPlane.getStatus().conditions().stream()
                .map(condition -> condition.type().equals("InstallSucceeding")
                        ? new Condition(
                                condition.type(),
                                status,
                                condition.reason(),
                                message.apply(condition.message()),
                                condition.lastTransitionTime(),
                                condition.observedGeneration())
                        : condition)
                .toList();
        var unused = user.client
                .resource(controlPlane)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        user.client
                                .getKubernetesSerialization()
                                .asJson(Map.of("status", Map.of("conditions", conditions))));
    }

    /** Keeps the message that announces a check. */
    private record Announcements(AtomicReference<String> last) implements Watcher<OpenshiftAssistedControlPlane> {

        @Override
        public void eventReceived(Action action, OpenshiftAssistedControlPlane controlPlane) {
            ReportedConditions.in(controlPlane.getStatus())
                    .get("InstallSucceeding")
                    .filter(condition -> condition.reason().equals("CheckingManifests"))
                    .ifPresent(condition -> last.set(condition.message()));
        }

        @Override
        public void onClose(WatcherException cause) {
            // The test fails by what it waits for.
        }
    }

    @Test
    void aCloudControllerManagerThatCannotRun_isReportedBeforeAHostBoots_andInstalledOnceCorrected(
            RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers user = scene.peers;
            ConfigMap manifests = configMap(user, "ccm", Map.of("ccm.yaml", cloudControllerManager("another/taint")));
            user.controlPlane("""
                spec:
                  config:
                    apiVIPs: null
                    ingressVIPs: null
                    manifestsConfigMapRefs: [{name: ccm}]
                    platform: {type: External, platformName: lab, cloudControllerManager: External}
                """);
            within(() -> says(
                    user,
                    "CloudControllerManagerManifestsInvalid",
                    "Deployment kube-system/lab-cloud-controller-manager, spec.template.spec.tolerations: the taint"
                            + " node.cloudprovider.kubernetes.io/uninitialized is not tolerated"));
            within(() -> warnings(user).size() == 1);
            assertThat(warnings(user)).allMatch(note -> note.contains("no container has the name"));
            assertThat(user.install()).isNull();

            replaceData(
                    user,
                    manifests,
                    Map.of("ccm.yaml", cloudControllerManager("node.cloudprovider.kubernetes.io/uninitialized")));
            within(() -> user.install() != null);
            assertThat(Fields.map(user.install(), "spec"))
                    .containsEntry("platformType", "External")
                    .containsEntry("external", Map.of("platformName", "lab", "cloudControllerManager", "External"))
                    .doesNotContainKeys("apiVIPs", "ingressVIPs");
            assertThat(warnings(user)).hasSize(1);
        }
    }

    @Test
    void aFindingThatTheUserAccepts_isRecorded_andTheInstallationBegins(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers user = scene.peers;
            var unused = configMap(user, "ccm", Map.of("ccm.yaml", cloudControllerManager("another/taint")));
            user.controlPlane("""
                spec:
                  config:
                    apiVIPs: null
                    ingressVIPs: null
                    manifestsConfigMapRefs: [{name: ccm}]
                    platform: {type: External, platformName: lab, cloudControllerManager: External}
                """);
            within(() -> says(user, "CloudControllerManagerManifestsInvalid", Annotations.ACCEPT_CCM_FINDING));
            Matcher annotation = Pattern.compile(Annotations.ACCEPT_CCM_FINDING + "\\w+")
                    .matcher(condition(user, "InstallSucceeding").orElseThrow().message());
            assertThat(annotation.find()).isTrue();
            assertThat(user.install()).isNull();

            user.merge(
                    user.current(),
                    "{\"metadata\":{\"annotations\":{\"%s\":\"a webhook adds the toleration\"}}}"
                            .formatted(annotation.group()));

            within(() -> user.install() != null);
            within(() -> notes(user, "CloudControllerManagerFindingsAccepted").size() == 1);
            assertThat(notes(user, "CloudControllerManagerFindingsAccepted"))
                    .allMatch(note -> note.endsWith("(accepted because: a webhook adds the toleration)"));
        }
    }

    private static String cloudControllerManager(String taint) {
        return """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: lab-cloud-controller-manager, namespace: kube-system}
                spec:
                  template:
                    spec:
                      tolerations: [{key: %s, operator: Exists, effect: NoSchedule}]
                      containers: [{name: manager, image: registry.example.com/lab-ccm:v1}]
                """.formatted(taint);
    }

    private static List<String> warnings(ControlPlanePeers user) {
        return notes(user, "CloudControllerManagerWarnings");
    }

    private static List<String> notes(ControlPlanePeers user, String reason) {
        return user.client.events().v1().events().inNamespace(user.namespace).list().getItems().stream()
                .filter(event -> reason.equals(event.getReason()))
                .map(Event::getNote)
                .toList();
    }

    @Test
    void mirrorsThatCannotBeUsed_areExplained_andOnceCorrectedReachTheInstallation(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers user = scene.peers;
            ConfigMap mirrors = configMap(user, "mirrors", Map.of("registries.conf", "[[registry]\n"));
            user.controlPlane("spec: {config: {imageRegistryRef: {name: mirrors}}}");
            within(() -> says(
                    user,
                    "ImageRegistryInvalid",
                    "ConfigMap mirrors, which spec.config.imageRegistryRef names, cannot be used:"
                            + " registries.conf is not TOML"));

            replaceData(user, mirrors, Map.of("registries.conf", shared.registry.registriesConf()));
            within(() -> user.install() != null);
            assertThat(Fields.map(user.install(), "spec", "mirrorRegistryRef"))
                    .isEqualTo(Map.of("name", "mirrors", "namespace", user.namespace));
            assertThat(Fields.list(user.install(), "spec", "manifestsConfigMapRefs"))
                    .isEqualTo(List.of(Map.of("name", "one-additional-registry-config")));
            ConfigMap manifests = user.client
                    .configMaps()
                    .inNamespace(user.namespace)
                    .withName("one-additional-registry-config")
                    .require();
            assertThat(manifests.getData())
                    .containsOnlyKeys("image-config.json", "image-digest-mirror-set.json", "image-tag-mirror-set.json");
            assertThat(manifests.getMetadata().getOwnerReferences())
                    .singleElement()
                    .matches(owner -> owner.getName().equals("one"));
            within(() -> user.machines().size() == 3);
            assertThat(user.client
                            .resources(OpenshiftAssistedConfig.class)
                            .inNamespace(user.namespace)
                            .list()
                            .getItems())
                    .hasSize(3)
                    .allSatisfy(config -> assertThat(
                                    Objects.requireNonNull(config.getSpec().mirrorRegistryRef())
                                            .name())
                            .isEqualTo("mirrors"));
            within(() -> Integer.valueOf(3).equals(user.current().getStatus().upToDateReplicas()));
        }
    }

    @Test
    void anotherKubernetesVersionThanTheReleases_isRefused_untilItIsCorrected(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers user = scene.peers;
            user.controlPlane("spec: {version: v1.30.0}");
            within(() -> condition(user, "ReleaseResolved")
                    .filter(c -> c.reason().equals("VersionMismatch"))
                    .filter(c -> c.message().contains("v1.30.0") && c.message().contains("v1.33.5"))
                    .isPresent());
            assertThat(user.install()).isNull();
            user.merge(user.current(), "{\"spec\":{\"version\":\"v1.33.5\"}}");
            within(() -> user.install() != null);
        }
    }

    @Test
    void theUsersOverride_isPassedOn_andTakenAwayWithTheAnnotation(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers user = scene.peers;
            String key = Annotations.INSTALL_CONFIG_OVERRIDE;
            user.controlPlane(
                    "spec: {config: {apiVIPs: null, ingressVIPs: null}}",
                    "metadata: {annotations: {%s: '{\"a\":1}'}}".formatted(key));
            within(() -> "{\"a\":1}".equals(override(user)));
            user.merge(user.current(), "{\"metadata\":{\"annotations\":{\"%s\":\"{\"}}}".formatted(key));
            within(() -> condition(user, "Ready")
                    .filter(c -> c.message().contains("annotation " + key))
                    .isPresent());
            user.merge(user.current(), "{\"metadata\":{\"annotations\":{\"%s\":null}}}".formatted(key));
            within(() -> override(user) == null);
        }
    }

    /** That of the Go provider has the plain name. Users of the namespace decide about everything but the image set. */
    @Test
    void anUnownedImageSet_isReadOnly_untilAnAdministratorHandsItOver_andIsThenDeletedWithItsLastUser(
            TestCluster cluster) {
        ControlPlanePeers user = peers(cluster);
        String name = "old-" + user.namespace;
        OpenshiftAssistedControlPlane named = renamed(user, name);
        String image = "quay.io/openshift-release-dev/ocp-release:4.20.3";
        ClusterImageSet old = new ClusterImageSet();
        old.setMetadata(new ObjectMetaBuilder().withName(name).build());
        old.setAdditionalProperty("spec", Map.of("releaseImage", image));
        user.client.resource(old).create();
        user.installOf(named, name);
        try (RunningControlPlane running = RunningControlPlane.in(cluster, user.namespace)) {
            assertThat(running.registry).isNotNull();
            String handOver = "controlplane.cluster.x-k8s.io/owner=" + user.namespace + "/" + name;
            within(() -> conditions(user, name).stream()
                    .anyMatch(c -> c.type().equals("InstallSucceeding")
                            && c.message().contains("belongs to no control plane")
                            && c.message().contains(handOver)));
            assertThat(releaseImage(user, name)).isEqualTo(image);

            user.merge(
                    user.client.resources(ClusterImageSet.class).withName(name).require(),
                    "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}"
                            .formatted(handOver.split("=")[0], handOver.split("=")[1]));
            within(() -> String.valueOf(releaseImage(user, name)).contains("@sha256:"));
            assertThat(imageSets(user)).containsExactly(name);

            user.client.resource(named).delete();
            within(() -> imageSets(user).isEmpty());
        }
    }

    @Test
    void aSharedImageSetThatATenantRefersTo_outlivesTheTenantsCluster(TestCluster cluster) {
        ControlPlanePeers user = peers(cluster);
        String name = "shared-of-all-" + user.namespace;
        OpenshiftAssistedControlPlane named = renamed(user, name);
        String image = "quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64";
        ClusterImageSet shared = new ClusterImageSet();
        shared.setMetadata(new ObjectMetaBuilder().withName(name).build());
        shared.setAdditionalProperty("spec", Map.of("releaseImage", image));
        user.client.resource(shared).create();
        user.installOf(named, name);
        try (RunningControlPlane running = RunningControlPlane.in(cluster, user.namespace)) {
            assertThat(running.registry).isNotNull();
            within(() -> conditions(user, name).stream()
                    .anyMatch(c ->
                            c.type().equals("ReleaseResolved") && c.status().equals(Condition.TRUE)));
            user.client.resource(named).delete();
            within(() -> user.client
                            .resources(OpenshiftAssistedControlPlane.class)
                            .inNamespace(user.namespace)
                            .withName(name)
                            .get()
                    == null);
            assertThat(user.client
                            .resources(ClusterImageSet.class)
                            .withName(name)
                            .require())
                    .satisfies(kept -> {
                        assertThat(kept.getMetadata().getAnnotations()).isNullOrEmpty();
                        assertThat(Fields.string(kept, "spec", "releaseImage")).isEqualTo(image);
                    });
        }
    }

    @Test
    void anImageSetOfAnotherOwner_withAnotherImage_isNamed_andTheInstallationHeld_untilItIsCreatedAgain(
            TestCluster cluster) {
        ControlPlanePeers user = peers(cluster);
        String name = "shared-" + user.namespace;
        ClusterImageSet shared = new ClusterImageSet();
        shared.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .addToAnnotations("controlplane.cluster.x-k8s.io/owner", "elsewhere/other")
                .build());
        shared.setAdditionalProperty(
                "spec", Map.of("releaseImage", "quay.io/openshift-release-dev/ocp-release:4.19.1"));
        user.client.resource(shared).create();
        user.installOf(user.current(), name);
        try (RunningControlPlane running = RunningControlPlane.in(cluster, user.namespace)) {
            assertThat(running.registry).isNotNull();
            within(() -> condition(user, "InstallSucceeding")
                    .filter(c -> c.message().contains(name)
                            && c.message().contains("4.19.1")
                            && c.message().contains("delete the AgentClusterInstall"))
                    .isPresent());
            within(() -> Fields.isTrue(user.install(), "spec", "holdInstallation"));

            user.client.resource(user.install()).delete();
            within(() -> user.install() != null
                    && !name.equals(Fields.string(user.install(), "spec", "imageSetRef", "name"))
                    && condition(user, "InstallSucceeding")
                            .map(Condition::reason)
                            .filter("WaitingForHosts"::equals)
                            .isPresent());
            assertThat(releaseImage(user, name)).contains("4.19.1");
        }
    }

    /** With a control plane that no manager has seen. */
    private static ControlPlanePeers peers(TestCluster cluster) {
        ControlPlanePeers user = new ControlPlanePeers(cluster);
        user.pullSecret();
        user.template();
        assertThat(user.controlPlane().getStatus()).isNull();
        return user;
    }

    /** The same control plane with another name. */
    private static OpenshiftAssistedControlPlane renamed(ControlPlanePeers user, String name) {
        OpenshiftAssistedControlPlane current = user.current();
        user.client.resource(current).delete();
        OpenshiftAssistedControlPlane named = new OpenshiftAssistedControlPlane();
        named.setMetadata(new ObjectMetaBuilder()
                .withNamespace(user.namespace)
                .withName(name)
                .withOwnerReferences(current.getMetadata().getOwnerReferences())
                .build());
        named.setSpec(current.getSpec());
        return user.client.resource(named).create();
    }

    private static List<Condition> conditions(ControlPlanePeers user, String name) {
        OpenshiftAssistedControlPlaneStatus status = user.client
                .resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(user.namespace)
                .withName(name)
                .require()
                .getStatus();
        return status == null || status.conditions() == null ? List.of() : status.conditions();
    }

    private static ConfigMap configMap(ControlPlanePeers user, String name, Map<String, String> data) {
        return user.client
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(user.namespace)
                        .withName(name)
                        .endMetadata()
                        .withData(data)
                        .build())
                .create();
    }

    private static List<String> imageSets(ControlPlanePeers user) {
        return user.client.resources(ClusterImageSet.class).list().getItems().stream()
                .map(imageSet -> imageSet.getMetadata().getName())
                .filter(name -> name.contains(user.namespace))
                .toList();
    }

    private static String releaseImage(ControlPlanePeers user, String name) {
        ClusterImageSet imageSet =
                user.client.resources(ClusterImageSet.class).withName(name).get();
        return imageSet == null ? null : Fields.string(imageSet, "spec", "releaseImage");
    }

    private static String override(ControlPlanePeers user) {
        if (user.install() == null || user.install().getMetadata().getAnnotations() == null) {
            return user.install() == null ? "no install" : null;
        }
        return user.install().getMetadata().getAnnotations().get(Annotations.ACI_INSTALL_CONFIG_OVERRIDES);
    }

    private static boolean says(ControlPlanePeers user, String reason, String message) {
        return condition(user, "InstallSucceeding")
                .filter(c -> c.status().equals(Condition.FALSE) && c.reason().equals(reason))
                .filter(c -> c.message().contains(message))
                .isPresent();
    }

    private static Optional<Condition> condition(ControlPlanePeers user, String type) {
        return Optional.ofNullable(user.current().getStatus())
                .map(OpenshiftAssistedControlPlaneStatus::conditions)
                .flatMap(conditions -> conditions.stream()
                        .filter(c -> Objects.equals(c.type(), type))
                        .findFirst());
    }
}
