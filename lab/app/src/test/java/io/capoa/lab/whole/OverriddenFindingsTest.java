package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.BareMetalHostView;
import io.capoa.api.contract.Fields;
import io.capoa.controlplane.plan.PlanCheck;
import io.capoa.controlplane.plan.PlanFinding;
import io.capoa.controlplane.plan.PlanFinding.Severity;
import io.capoa.controlplane.plan.PlanInput;
import io.capoa.controlplane.plan.PlanResult;
import io.capoa.lab.metal3.HostHardware;
import io.capoa.lab.metal3.Rack;
import io.capoa.lint.manifest.ManifestFile;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the plan says before a host is taken is what assisted-service, Metal3 or the host says later, when the plan is
 * overridden. What cannot be overridden is held back by the provider itself (WaysToFailTest of the control-plane
 * provider). With its many tests it is the first suite of the shared lab.
 */
@Tag("full")
@Tag("whole")
@Order(3)
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class OverriddenFindingsTest {

    private static final String PLANNED = "InstallationPlanned";

    /**
     * A way to fail.
     *
     * @param replicas control planes; there are as many hosts
     * @param host changes each of them, before its inspection
     * @param sample changes the manifests
     * @param check name of the plan's finding
     * @param blocks whether no host is taken until the finding is accepted
     * @param later parts of what is said when it is too late
     */
    private record Way(
            String name,
            int replicas,
            Consumer<BareMetalHost> host,
            UnaryOperator<String> sample,
            String check,
            boolean blocks,
            List<String> later) {

        static Way blocking(String hardware, String check, String... later) {
            return new Way(hardware, 1, hardware(hardware), UnaryOperator.identity(), check, true, List.of(later));
        }

        static Way warning(String name, UnaryOperator<String> sample, String check, String... later) {
            return new Way(name, 1, host -> {}, sample, check, false, List.of(later));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Way> ways() {
        return Stream.of(
                Way.blocking("memory=8", "host-memory", "has-memory-for-role", "found only 8.00 GiB"),
                Way.blocking("cpus=2", "host-cpu", "has-cpu-cores-for-role", "found only 2"),
                Way.blocking("disk=60", "host-disk", "has-min-valid-disks"),
                Way.blocking("mac=52:54:00:99:99:99", "host-mac", "WrongHost", "52:54:00:99:99:99"),
                Way.blocking("architecture=aarch64", "host-architecture", "its CPU is aarch64", "No host has reported"),
                new Way(
                        "no disk by the hint",
                        1,
                        host -> spec(host, "rootDeviceHints", Map.of("model", "none")),
                        UnaryOperator.identity(),
                        "host-disk",
                        true,
                        List.of("BareMetalHostError", "No suitable device was found", "model=none")),
                new Way(
                        "a name that is no variable",
                        3,
                        hardware("hostname=twin"),
                        sample -> sample.replaceFirst("hostnamePolicy: HostName", "nodeRegistration: {name: master}"),
                        "host-name",
                        false,
                        List.of("Hostname twin is not unique")),
                new Way(
                        "one name by DHCP",
                        3,
                        hardware("hostname=twin"),
                        OverriddenFindingsTest::ownNames,
                        "host-name",
                        false,
                        List.of("Hostname twin is not unique")),
                new Way(
                        "no name by DHCP",
                        1,
                        hardware("hostname=localhost"),
                        OverriddenFindingsTest::ownNames,
                        "host-name",
                        false,
                        List.of("Hostname localhost is forbidden")),
                new Way(
                        "too few hosts",
                        1,
                        host -> spec(
                                host, "consumerRef", Map.of("kind", "Metal3Machine", "namespace", "a", "name", "b")),
                        UnaryOperator.identity(),
                        "hosts-too-few",
                        false,
                        List.of("no available host found")),
                Way.warning(
                        "label of no host",
                        sample -> sample.replace(
                                "      automatedCleaningMode: disabled\n",
                                "      automatedCleaningMode: disabled\n      hostSelector: {matchLabels: {role: storage}}\n"),
                        "hosts-too-few",
                        "no available host found"),
                Way.warning(
                        "image without checksum",
                        sample -> sample.replaceAll(" *checksum.*\n", ""),
                        "boot-image",
                        "no checksum"),
                new Way(
                        "live ISO without virtual media",
                        1,
                        host -> spec(
                                host,
                                "bmc",
                                Map.of(
                                        "address",
                                        "ipmi://192.0.2.1",
                                        "credentialsName",
                                        Fields.any(host, "spec", "bmc", "credentialsName"))),
                        sample -> sample.replaceAll(" *checksum.*\n", "")
                                .replaceAll("url: .*", "url: http://live-iso.invalid/discovery.iso")
                                .replace("diskFormat: qcow2", "diskFormat: live-iso"),
                        "boot-media",
                        false,
                        List.of("No host has reported", "ipmi://192.0.2.1, has no virtual media")));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whatThePlanSays_comesTrue(Way way, WholeLab lab) {
        String namespace = lab.namespace(0);
        IntStream.range(0, way.replicas()).forEach(number -> {
            BareMetalHost host = Rack.host(namespace, number, Map.of());
            way.host().accept(host);
            lab.admin().resource(host).create();
        });
        await().atMost(WholeLab.SOON)
                .until(() -> hosts(lab, namespace)
                        .allMatch(host -> "available".equals(Fields.string(host, "status", "provisioning", "state"))));

        lab.apply(
                namespace,
                sample -> way.sample()
                        .apply(way.replicas() == 1 ? WholeLab.singleNode(sample) : WholeLab.withoutWorkers(sample)));

        awaitPlanned(lab, namespace, way.blocks() ? Condition.FALSE : Condition.TRUE, way.check());
        if (way.blocks()) {
            assertThat(lab.machines(namespace)).isEmpty();
            assertThat(hosts(lab, namespace))
                    .allMatch(host -> BareMetalHostView.of(host).consumerName() == null);
            lab.patchControlPlane(
                    namespace,
                    "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}"
                            .formatted(Annotations.ACCEPT_PLAN_FINDINGS, way.check()));
        }

        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(said(lab, namespace)).contains(way.later()));
        assertThat(lab.rows(namespace)).noneMatch(row -> row.ready());
    }

    @Test
    void aRolloutWithoutASpareHost_waitsForOne(WholeLab lab) {
        String namespace = lab.namespace(3);
        lab.apply(
                namespace,
                sample -> WholeLab.withoutWorkers(sample)
                        .replace("    baseDomain:", "    holdInstallation: true\n    baseDomain:"));
        awaitPlanned(lab, namespace, Condition.TRUE, "spare-host");
        lab.patchControlPlane(namespace, "{\"spec\":{\"config\":{\"holdInstallation\":false}}}");
        lab.awaitReady(namespace);

        lab.patchControlPlane(
                namespace, "{\"spec\":{\"openshiftAssistedConfigSpec\":{\"nodeLabels\":{\"rack\":\"b\"}}}}");

        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(said(lab, namespace)).contains("no available host found"));
        assertThat(lab.condition(namespace, "Available").orElseThrow().status()).isEqualTo(Condition.TRUE);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(
                        "virtual IP address outside the machine network",
                        "    baseDomain:",
                        "    networking: {machineNetwork: [{cidr: 198.51.100.0/24}]}\n    baseDomain:"),
                Arguments.of(
                        "ignition version",
                        "kind: OpenshiftAssistedControlPlane\nmetadata:\n",
                        "kind: OpenshiftAssistedControlPlane\nmetadata:\n  annotations: {%s: '{\"ignition\":{\"version\":\"2.2.0\"}}'}\n"
                                .formatted(Annotations.DISCOVERY_IGNITION_OVERRIDE)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusals")
    void whatThePlanSaysOfAFile_theApiServerRefuses(String name, String before, String after, WholeLab lab) {
        String text = WholeLab.sample().replace(before, after);
        PlanResult result =
                PlanResult.of(PlanInput.of(List.of(new ManifestFile("cluster.yaml", text)), "default"), null);
        List<String> predicted = result.clusters().getFirst().findings().stream()
                .filter(finding -> finding.check() == PlanCheck.OBJECT_REFUSED)
                .filter(finding -> finding.severity() == Severity.BLOCKING)
                .map(PlanFinding::what)
                .toList();

        assertThat(predicted).isNotEmpty();
        assertThatThrownBy(() -> lab.apply(lab.namespace(0), text))
                .hasMessageContainingAll(predicted.toArray(CharSequence[]::new));
    }

    /** The plan of a file looks names up in the DNS of its machine, and assisted-service has the hosts do so. */
    @ParameterizedTest
    @EnumSource(
            value = HostHardware.Dns.class,
            names = {"NONE", "WILDCARD"})
    void whatThePlanSaysOfDns_theHostsFind(HostHardware.Dns dns, WholeLab lab) {
        String namespace = lab.namespace(0);
        String text = WholeLab.withoutWorkers(WholeLab.withoutAddresses(WholeLab.sample()));
        List<String> predicted = PlanResult.of(
                        PlanInput.of(List.of(new ManifestFile("cluster.yaml", text)), "default"),
                        name -> dns == HostHardware.Dns.NONE ? List.of() : List.of("192.0.2.10"))
                .clusters()
                .getFirst()
                .findings()
                .stream()
                .filter(finding -> finding.check() == PlanCheck.DNS_NAMES)
                .map(PlanFinding::what)
                .toList();
        for (int number = 0; number < 3; number++) {
            BareMetalHost host = Rack.host(namespace, number, Map.of());
            hardware("dns=" + dns).accept(host);
            lab.admin().resource(host).create();
        }

        lab.apply(namespace, text);

        String domain = "multinode.lab.example";
        List<String> later;
        if (dns == HostHardware.Dns.NONE) {
            assertThat(predicted)
                    .containsExactly(
                            "api." + domain + " does not exist",
                            "api-int." + domain + " does not exist",
                            "*.apps." + domain + " does not exist");
            later = List.of(
                    "resolve domain name api." + domain,
                    "resolve domain name api-int." + domain,
                    "resolve domain name *.apps." + domain);
        } else {
            assertThat(predicted).containsExactly("any name below " + domain + " is 192.0.2.10");
            later = List.of("DNS wildcard configuration was detected for domain *." + domain);
        }
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(said(lab, namespace)).contains(later));
        assertThat(lab.rows(namespace)).noneMatch(row -> row.ready());

        for (int number = 0; number < 3; number++) {
            lab.annotateHost(namespace, "host-" + number, HostHardware.ANNOTATION, null);
        }
        lab.awaitReady(namespace);
    }

    private static void awaitPlanned(WholeLab lab, String namespace, String status, String check) {
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab.condition(namespace, PLANNED))
                        .hasValueSatisfying(planned -> assertThat(planned)
                                .returns(status, Condition::status)
                                .extracting(Condition::message)
                                .asString()
                                .contains("* " + check + ": ")));
    }

    private static Stream<BareMetalHost> hosts(WholeLab lab, String namespace) {
        return lab.admin().resources(BareMetalHost.class).inNamespace(namespace).list().getItems().stream();
    }

    /** Conditions of the configs and the control plane, without the plan, and why the first host boots nothing. */
    private static String said(WholeLab lab, String namespace) {
        Stream<Condition> configs =
                lab.admin().resources(OpenshiftAssistedConfig.class).inNamespace(namespace).list().getItems().stream()
                        .map(OpenshiftAssistedConfig::getStatus)
                        .filter(Objects::nonNull)
                        .flatMap(status ->
                                Objects.requireNonNullElse(status.conditions(), List.<Condition>of()).stream());
        Stream<Condition> controlPlane = lab.condition(namespace, "Available").stream()
                .filter(available -> !available.reason().equals("BlockingFindings"));
        return Stream.concat(
                        Stream.concat(configs, controlPlane).map(Condition::toString),
                        lab.peers().hosts().lastRefusal(namespace, "host-0").stream())
                .collect(Collectors.joining("\n"));
    }

    private static Consumer<BareMetalHost> hardware(String different) {
        return host -> host.getMetadata().setAnnotations(Map.of(HostHardware.ANNOTATION, different));
    }

    private static void spec(BareMetalHost host, String field, Object value) {
        Map<String, Object> spec = new TreeMap<>(Fields.map(host, "spec"));
        spec.put(field, value);
        host.setAdditionalProperties(Map.of("spec", spec));
    }

    private static String ownNames(String sample) {
        return sample.replaceAll(" *hostnamePolicy: .*\n", "");
    }
}
