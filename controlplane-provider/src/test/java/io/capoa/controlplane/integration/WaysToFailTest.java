package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.HardwareData;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ways in which an installation fails, each said by a condition of the control plane before its first host is taken, or
 * together with the first Machine where it can still come right by itself. DNS is not asked by the provider, but by the
 * command (plan.PlanFindingsTest).
 */
@ExtendWith(SharedControlPlane.class)
@Execution(ExecutionMode.CONCURRENT)
class WaysToFailTest {

    private static final String PLANNED = "InstallationPlanned";

    /** What comes of it. */
    private enum Effect {
        /** No Machine is created until it is mended, or accepted by annotation {@code accept-plan-findings}. */
        BLOCKS,
        /** No Machine is created until it is mended. */
        HOLDS,
        /** Hosts may boot, but nothing is installed to them until it is mended: there is no AgentClusterInstall. */
        WITHHOLDS,
        /** It is said in the condition, and the installation goes on. */
        WARNS
    }

    /**
     * A way to fail.
     *
     * @param prepare changes what exists before the control plane
     * @param change of the control plane
     * @param said a part of the condition's message; for a finding of the plan its name
     */
    private record Way(
            String name,
            Consumer<ControlPlanePeers> prepare,
            String change,
            String condition,
            String said,
            Effect effect) {

        static Way of(String name, String change, String condition, String said, Effect effect) {
            return new Way(name, peers -> {}, change, condition, said, effect);
        }

        static Way planned(String name, Consumer<ControlPlanePeers> prepare, String said, Effect effect) {
            return new Way(name, prepare, "{}", PLANNED, said, effect);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Way> ways() {
        return Stream.of(
                Way.planned("too little memory", hardware("{ramMebibytes: 4096}"), "host-memory: ", Effect.BLOCKS),
                Way.planned(
                        "wrong disk hint",
                        host("spec: {rootDeviceHints: {deviceName: /dev/vda}}"),
                        "host-disk: ",
                        Effect.BLOCKS),
                Way.planned("duplicate host names", hardware("{hostname: host-2}"), "host-name: ", Effect.WARNS),
                Way.of(
                        "host name that is no variable",
                        "spec: {openshiftAssistedConfigSpec: {nodeRegistration: {name: one}}}",
                        PLANNED,
                        "host-name: ",
                        Effect.WARNS),
                Way.planned(
                        "MAC address of no NIC",
                        host("spec: {bootMACAddress: '52:54:00:00:99:99'}"),
                        "host-mac: ",
                        Effect.BLOCKS),
                Way.of(
                        "virtual IP address outside the machine network",
                        "spec: {config: {networking: {machineNetwork: [{cidr: 198.51.100.0/24}]}}}",
                        PLANNED,
                        "object-refused: ",
                        Effect.WARNS),
                new Way(
                        "overlapping networks",
                        peers -> peers.merge(
                                peers.owner(),
                                "{\"spec\":{\"clusterNetwork\":{\"services\":{\"cidrBlocks\":[\"172.18.0.0/24\"]}}}}"),
                        "{}",
                        "MachinesCreated",
                        "overlap",
                        Effect.HOLDS),
                new Way(
                        "pull secret without credentials",
                        pullSecret("data: {.dockerconfigjson: null}"),
                        "{}",
                        "MachinesCreated",
                        "has no key .dockerconfigjson",
                        Effect.HOLDS),
                new Way(
                        "pull secret with an entry without credentials",
                        pullSecret("stringData: {.dockerconfigjson: '{\"auths\":{\"x.io\":{}}}'}"),
                        "{}",
                        "MachinesCreated",
                        "the entry \"x.io\" of .dockerconfigjson cannot be used",
                        Effect.HOLDS),
                Way.of(
                        "absent release",
                        "spec: {distributionVersion: 4.20.99}",
                        "ReleaseResolved",
                        "4.20.99",
                        Effect.WITHHOLDS),
                Way.planned(
                        "wrong architecture", hardware("{cpu: {arch: aarch64}}"), "host-architecture: ", Effect.BLOCKS),
                Way.planned(
                        "too few hosts",
                        host("spec: {consumerRef: {kind: Metal3Machine, namespace: other, name: m}}"),
                        "hosts-too-few: ",
                        Effect.WARNS),
                Way.planned(
                        "blocked by a label",
                        template("{hostSelector: {matchLabels: {role: storage}}}"),
                        "hosts-too-few: ",
                        Effect.WARNS),
                Way.of(
                        "bad ignition version",
                        "metadata: {annotations: {%s: '{\"ignition\":{\"version\":\"2.2.0\"}}'}}"
                                .formatted(Annotations.DISCOVERY_IGNITION_OVERRIDE),
                        PLANNED,
                        "object-refused: ",
                        Effect.WARNS),
                new Way(
                        "cloud controller manager without toleration",
                        configMap("ccm", "ccm.yaml", """
                            apiVersion: apps/v1
                            kind: Deployment
                            metadata: {name: lab-cloud-controller-manager, namespace: kube-system}
                            spec: {template: {spec: {containers: [{name: manager, image: registry.example.com/lab-ccm:v1}]}}}
                            """),
                        """
                        spec:
                          config:
                            apiVIPs: null
                            ingressVIPs: null
                            manifestsConfigMapRefs: [{name: ccm}]
                            platform: {type: External, platformName: lab, cloudControllerManager: External}
                        """,
                        "InstallSucceeding",
                        "is not tolerated",
                        Effect.WITHHOLDS),
                Way.of(
                        "missing ConfigMap",
                        "spec: {config: {manifestsConfigMapRefs: [{name: extra}]}}",
                        "InstallSucceeding",
                        "ConfigMap extra",
                        Effect.WITHHOLDS),
                Way.planned(
                        "live ISO without virtual media",
                        template("{image: {url: 'http://images/rhcos.iso', diskFormat: live-iso}}")
                                .andThen(host("spec: {bmc: {address: 'ipmi://192.0.2.200'}}")),
                        "boot-media: ",
                        Effect.WARNS),
                Way.planned("no spare host for a surge", peers -> {}, "spare-host: ", Effect.WARNS),
                Way.of(
                        "expired certificate",
                        "spec: {config: {additionalTrustBundle: \"%s\"}}".formatted(expired()),
                        PLANNED,
                        "certificate: ",
                        Effect.WARNS),
                new Way(
                        "unknown mirror",
                        configMap("mirrors", "registries.conf", "[[registry]]\nlocation = \"quay.io\"\n"),
                        "spec: {config: {imageRegistryRef: {name: mirrors}}}",
                        "InstallSucceeding",
                        "needs a [[registry.mirror]]",
                        Effect.WITHHOLDS),
                Way.of(
                        "cluster name",
                        "spec: {config: {clusterName: prod.one}}",
                        "MachinesCreated",
                        "dot",
                        Effect.HOLDS));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whatWillFail_isSaid_beforeAHostIsTaken(Way way, RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers peers = scene.peers;
            shared.registry.faults().absent("4.20.99");
            for (String host : new String[] {"host-1", "host-2", "host-3"}) {
                peers.host(host, "/dev/sda", 32_768);
            }
            peers.cluster();
            peers.infrastructure(true, List.of());
            way.prepare().accept(peers);
            peers.onlyControlPlane(way.change());

            within(() -> scene.message(way.condition()).contains(way.said()));

            switch (way.effect()) {
                case BLOCKS -> {
                    assertThat(peers.machines()).isEmpty();
                    assertThat(peers.install()).isNull();
                    String check = way.said().replace(": ", "");
                    peers.edit("metadata: {annotations: {%s: %s}}".formatted(Annotations.ACCEPT_PLAN_FINDINGS, check));
                    scene.untilHostsAreAwaited();
                }
                case HOLDS -> {
                    assertThat(peers.machines()).isEmpty();
                    assertThat(peers.install()).isNull();
                }
                case WITHHOLDS -> assertThat(peers.install()).isNull();
                case WARNS -> scene.untilHostsAreAwaited();
            }
        }
    }

    private static Consumer<ControlPlanePeers> host(String change) {
        return peers -> merge(
                peers,
                peers.client
                        .resources(BareMetalHost.class)
                        .inNamespace(peers.namespace)
                        .withName("host-3")
                        .require(),
                change);
    }

    private static Consumer<ControlPlanePeers> pullSecret(String change) {
        return peers -> merge(
                peers,
                peers.client
                        .resources(Secret.class)
                        .inNamespace(peers.namespace)
                        .withName("pull-secret")
                        .require(),
                change);
    }

    private static Consumer<ControlPlanePeers> hardware(String change) {
        return peers -> merge(
                peers,
                peers.client
                        .resources(HardwareData.class)
                        .inNamespace(peers.namespace)
                        .withName("host-3")
                        .require(),
                "spec: {hardware: %s}".formatted(change));
    }

    private static Consumer<ControlPlanePeers> template(String change) {
        return peers -> merge(
                peers,
                peers.client
                        .genericKubernetesResources("infrastructure.cluster.x-k8s.io/v1beta2", "Metal3MachineTemplate")
                        .inNamespace(peers.namespace)
                        .withName(peers.name + "-controlplane")
                        .require(),
                "spec: {template: {spec: %s}}".formatted(change));
    }

    private static void merge(ControlPlanePeers peers, HasMetadata object, String change) {
        KubernetesSerialization serialization = peers.client.getKubernetesSerialization();
        peers.merge(object, serialization.asJson(serialization.unmarshal(change, Map.class)));
    }

    /** In one line, as YAML in double quotes has it. */
    private static String expired() {
        try (InputStream in = Objects.requireNonNull(
                WaysToFailTest.class.getResourceAsStream("/io/capoa/controlplane/plan/expired.pem"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\n", "\\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Consumer<ControlPlanePeers> configMap(String name, String key, String content) {
        return peers -> peers.client
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(peers.namespace)
                        .withName(name)
                        .endMetadata()
                        .addToData(key, content)
                        .build())
                .create();
    }
}
