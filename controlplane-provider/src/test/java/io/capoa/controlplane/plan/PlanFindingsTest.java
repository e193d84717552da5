package io.capoa.controlplane.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.capoa.controlplane.plan.PlanFinding.Severity;
import io.capoa.controlplane.testing.LinterManifests;
import io.capoa.lint.manifest.ManifestFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways in which an installation fails, each predicted from its objects. */
class PlanFindingsTest {

    private static final String PULL_SECRET = "c2FtcGxlOnNhbXBsZQ==";
    private static final String POLICY = "    pullSecretRef: {name: pull-secret}\n    hostnamePolicy: HostName\n";

    @Test
    void aClusterThatCanBeInstalled_hasNoFinding_butWhatFilesCannotSay() {
        PlanResult result = PlanFixture.plan(PlanFixture.cluster() + PlanFixture.hosts());

        assertThat(findings(result))
                .extracting(PlanFinding::check)
                .containsExactlyInAnyOrder(PlanCheck.DNS_NAMES, PlanCheck.RELEASE_NOT_ASKED);
        assertThat(result.count(Severity.UNKNOWN)).isEqualTo(2);
        assertThat(result.clusters().getFirst().hosts())
                .hasSize(PlanFixture.HOSTS)
                .first()
                .isEqualTo(new HostPlan.Row(
                        "host-0",
                        List.of("prod"),
                        "/dev/sda (480 GB) by spec.rootDeviceHints deviceName=/dev/sda",
                        "52:54:00:00:00:00",
                        ""));
    }

    /** Severity, check, object, a part of what is wrong; then what is replaced in the objects, and by what. */
    static Stream<Arguments> failures() {
        return Stream.of(
                fails("BLOCKING", "host-memory", "BareMetalHost default/host-4", "4096 MiB", "32768", "4096"),
                fails("BLOCKING", "host-cpu", "BareMetalHost default/host-0", "needs 4", "count: 16", "count: 2"),
                fails(
                        "BLOCKING",
                        "host-disk",
                        "BareMetalHost default/host-0",
                        "no disk with deviceName=/dev/vda",
                        "deviceName: /dev/sda",
                        "deviceName: /dev/vda"),
                fails(
                        "BLOCKING",
                        "host-disk",
                        "BareMetalHost default/host-0",
                        "it has less than 100 GB",
                        "480000000000",
                        "48000000000"),
                fails(
                        "BLOCKING",
                        "host-disk",
                        "BareMetalHost default/host-0",
                        "has no disk of 100 GB",
                        "480000000000",
                        "48000000000",
                        "  rootDeviceHints: {deviceName: /dev/sda}\n",
                        ""),
                fails(
                        "BLOCKING",
                        "host-disk",
                        "OpenshiftAssistedControlPlane default/prod",
                        "model=PM9A3",
                        POLICY,
                        POLICY + "    installationDisk: {model: PM9A3}\n"),
                fails(
                        "WARNING",
                        "host-name",
                        "OpenshiftAssistedControlPlane default/prod",
                        "host-2, host-3 called themselves same",
                        POLICY,
                        "    pullSecretRef: {name: pull-secret}\n",
                        "hostname: host-2",
                        "hostname: same",
                        "hostname: host-3",
                        "hostname: same"),
                fails(
                        "WARNING",
                        "host-name",
                        "OpenshiftAssistedControlPlane default/prod",
                        "one is read as the name of a metadata variable",
                        POLICY,
                        "    nodeRegistration: {name: one}\n"),
                fails(
                        "BLOCKING",
                        "host-mac",
                        "BareMetalHost default/host-0",
                        "is the address of no NIC",
                        "mac: '52:54",
                        "mac: '52:55"),
                fails(
                        "WARNING",
                        "host-mac",
                        "BareMetalHost default/host-1",
                        "host-1, host-2 have one address",
                        "MACAddress: 52:54:00:00:00:02",
                        "MACAddress: 52:54:00:00:00:01"),
                fails(
                        "BLOCKING",
                        "object-refused",
                        "OpenshiftAssistedControlPlane default/prod",
                        "lies in no network",
                        "apiVIPs: [192.0.2.10]",
                        "apiVIPs: [192.0.9.10]"),
                fails(
                        "WARNING",
                        "virtual-ip-in-use",
                        "OpenshiftAssistedControlPlane default/prod",
                        "BareMetalHost default/host-0",
                        "apiVIPs: [192.0.2.10]",
                        "apiVIPs: [192.0.2.20]"),
                fails(
                        "BLOCKING",
                        "networks",
                        "Cluster default/prod",
                        "which overlaps with 10.128.0.0/14",
                        "172.30.0.0/16",
                        "10.130.0.0/16"),
                fails(
                        "BLOCKING",
                        "pod-network-room",
                        "Cluster default/prod",
                        "into 5 subnets",
                        "10.128.0.0/14",
                        "10.128.0.0/21"),
                fails(
                        "UNKNOWN",
                        "dns-names",
                        "OpenshiftAssistedControlPlane default/prod",
                        "api.prod.lab.example, *.apps.prod.lab.example have to exist"),
                fails(
                        "BLOCKING",
                        "registry-login",
                        "OpenshiftAssistedControlPlane default/prod",
                        "is not base64",
                        PULL_SECRET,
                        "%"),
                fails(
                        "BLOCKING",
                        "pull-secret",
                        "Secret default/pull-secret",
                        "has no object \"auths\"",
                        "\"auths\"",
                        "\"auth\""),
                fails(
                        "BLOCKING",
                        "pull-secret",
                        "Secret default/pull-secret",
                        "the entry \"x.io\" of .dockerconfigjson cannot be used",
                        "\"auths\":{",
                        "\"auths\":{\"x.io\":{},"),
                fails(
                        "WARNING",
                        "registry-login",
                        "OpenshiftAssistedControlPlane default/prod",
                        "has no entry for quay.io",
                        "{\"quay.io\"",
                        "{\"docker.io\""),
                fails(
                        "BLOCKING",
                        "object-refused",
                        "OpenshiftAssistedControlPlane default/prod",
                        "is not a release version",
                        "distributionVersion: 4.20.3",
                        "distributionVersion: latest"),
                fails(
                        "BLOCKING",
                        "host-architecture",
                        "BareMetalHost default/host-0",
                        "the host is aarch64",
                        "arch: x86_64",
                        "arch: aarch64"),
                fails(
                        "WARNING",
                        "hosts-too-few",
                        "OpenshiftAssistedControlPlane default/prod",
                        "takes 5 hosts, and there are 4",
                        "replicas: 3",
                        "replicas: 5"),
                fails(
                        "WARNING",
                        "hosts-too-few",
                        "MachineDeployment default/prod-workers",
                        "there are 0",
                        "values: [worker]",
                        "values: [storage]"),
                fails(
                        "BLOCKING",
                        "object-refused",
                        "OpenshiftAssistedConfigTemplate default/prod-workers",
                        "cannot be used",
                        "      annotations: {}",
                        "      annotations: {openshiftassistedconfig.cluster.x-k8s.io/discovery-ignition-override: '{\"ignition\":{\"version\":\"2.2.0\"}}'}"),
                fails(
                        "WARNING",
                        "config-map-missing",
                        "OpenshiftAssistedControlPlane default/prod",
                        "ConfigMap default/manifests",
                        "    baseDomain:",
                        "    manifestsConfigMapRefs: [{name: manifests}]\n    baseDomain:"),
                fails(
                        "WARNING",
                        "boot-media",
                        "BareMetalHost default/host-4",
                        "ipmi has no virtual media",
                        "redfish-virtualmedia:",
                        "ipmi:"),
                fails(
                        "BLOCKING",
                        "boot-media",
                        "Metal3MachineTemplate default/prod-workers",
                        "beside a live ISO",
                        "diskFormat: live-iso}",
                        "diskFormat: live-iso}\n      customDeploy: {method: install_coreos}"),
                fails(
                        "BLOCKING",
                        "boot-image",
                        "Metal3MachineTemplate default/prod-workers",
                        "names no image",
                        "      image: {url: 'http://images/rhcos.iso', diskFormat: live-iso}",
                        ""),
                fails(
                        "WARNING",
                        "spare-host",
                        "MachineDeployment default/prod-workers",
                        "takes 1 more",
                        "replicas: 2",
                        "replicas: 3"),
                fails(
                        "WARNING",
                        "network-settings",
                        "OpenshiftAssistedControlPlane default/prod",
                        "selects no NMStateConfig",
                        POLICY,
                        POLICY + "    nmStateConfigLabelSelector: {matchLabels: {cluster: prod}}\n"),
                fails(
                        "WARNING",
                        "certificate",
                        "OpenshiftAssistedControlPlane default/prod",
                        "has expired",
                        "    baseDomain:",
                        "    additionalTrustBundle: |\n"
                                + PlanFixture.resource("expired.pem").indent(6) + "    baseDomain:"),
                fails(
                        "BLOCKING",
                        "mirrors",
                        "ConfigMap default/mirrors",
                        "needs a [[registry.mirror]]",
                        "    baseDomain:",
                        "    imageRegistryRef: {name: mirrors}\n    baseDomain:",
                        "---\napiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\n",
                        """
                        ---
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: mirrors}
                        data: {registries.conf: "[[registry]]\\nlocation = \\"quay.io\\"\\n"}
                        ---
                        apiVersion: cluster.x-k8s.io/v1beta2
                        kind: Cluster
                        """),
                fails(
                        "BLOCKING",
                        "cluster-name",
                        "OpenshiftAssistedControlPlane default/prod",
                        "has a dot",
                        "    baseDomain:",
                        "    clusterName: prod.one\n    baseDomain:"),
                fails(
                        "WARNING",
                        "reference-missing",
                        "OpenshiftAssistedControlPlane default/prod",
                        "Metal3MachineTemplate default/other",
                        "name: prod-cp}\n  config",
                        "name: other}\n  config"),
                fails(
                        "UNKNOWN",
                        "object-older-version",
                        "OpenshiftAssistedControlPlane default/prod",
                        "is v1alpha3",
                        "controlplane.cluster.x-k8s.io/v1beta1",
                        "controlplane.cluster.x-k8s.io/v1alpha3"),
                fails("BLOCKING", "file-unreadable", "File plan.yaml", "is not YAML", "replicas: 2", "replicas: [2"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whatWillFail_isFound(String severity, String check, String object, String what, List<String> changes) {
        String yaml = PlanFixture.cluster() + PlanFixture.hosts();
        for (int i = 0; i < changes.size(); i += 2) {
            assertThat(yaml).contains(changes.get(i));
            yaml = yaml.replace(changes.get(i), changes.get(i + 1));
        }

        assertThat(findings(PlanFixture.plan(yaml))).anySatisfy(finding -> {
            assertThat(finding.severity()).hasToString(severity);
            assertThat(finding.check().id()).isEqualTo(check);
            assertThat(finding.object()).hasToString(object);
            assertThat(finding.what()).contains(what);
            assertThat(finding.remedy()).isNotBlank();
        });
    }

    @Test
    void aCloudControllerManagerThatToleratesNoTaint_isFoundAsByItsLinter() throws IOException {
        String manifest = LinterManifests.read("broken/uninitialized-not-tolerated");
        String yaml = PlanFixture.cluster()
                        .replace(
                                "    apiVIPs: [192.0.2.10]\n    ingressVIPs: [192.0.2.11]\n",
                                "    platform: {type: External, platformName: lab, cloudControllerManager: External}\n"
                                        + "    manifestsConfigMapRefs: [{name: ccm}]\n")
                + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ccm}\ndata:\n  ccm.yaml: |\n"
                + manifest.indent(4);

        assertThat(findings(PlanFixture.plan(yaml))).anySatisfy(finding -> {
            assertThat(finding.check()).isEqualTo(PlanCheck.CLOUD_CONTROLLER_MANAGER);
            assertThat(finding.severity()).isEqualTo(Severity.BLOCKING);
            assertThat(finding.what()).contains("node.cloudprovider.kubernetes.io/uninitialized is not tolerated");
        });
    }

    @Test
    void withoutHardware_nothingBlocks_andWhatIsNotKnownIsSaid() {
        PlanResult result = PlanFixture.plan(PlanFixture.cluster() + PlanFixture.uninspectedHosts());

        assertThat(result.count(Severity.BLOCKING)).isZero();
        assertThat(result.count(Severity.WARNING)).isZero();
        assertThat(findings(result).stream().filter(finding -> finding.check() == PlanCheck.HOST_NOT_INSPECTED))
                .hasSize(PlanFixture.HOSTS);
    }

    @Test
    void withoutHosts_nothingBlocks() {
        PlanResult result = PlanFixture.plan(PlanFixture.cluster());

        assertThat(result.count(Severity.BLOCKING)).isZero();
        assertThat(findings(result)).extracting(PlanFinding::check).contains(PlanCheck.HOSTS_NOT_GIVEN);
    }

    /** Of hosts that are applied together with their cluster, Metal3 waits for each. */
    @ParameterizedTest
    @ValueSource(strings = {"''", "registering", "match profile", "inspecting", "preparing", "deprovisioning"})
    void aHostThatHasNotSettled_isUnknown_whateverIsKnownOfIt(String state) {
        String busy = (PlanFixture.cluster() + PlanFixture.hosts())
                .replace("state: available", "state: " + state)
                .replace("ramMebibytes: 32768", "ramMebibytes: 8")
                .replace("deviceName: /dev/sda", "deviceName: /dev/vda")
                .replace("mac: '52:54", "mac: '52:55");

        PlanResult result = PlanFixture.plan(busy);
        assertThat(result.count(Severity.BLOCKING)).isZero();
        assertThat(findings(result).stream().filter(finding -> finding.check() == PlanCheck.HOST_NOT_SETTLED))
                .hasSize(PlanFixture.HOSTS)
                .allSatisfy(finding -> assertThat(finding.what())
                        .isEqualTo(state.equals("''") ? "has no state" : "is in state " + state));
    }

    @Test
    void anUnfitHost_isAWarning_whileOthersAreInspected_andBlocksWithoutThem() {
        String unfit = (PlanFixture.cluster() + PlanFixture.hosts())
                .replace("replicas: 3", "replicas: 4")
                .replaceFirst("ramMebibytes: 32768", "ramMebibytes: 8192");
        assertThat(memory(unfit)).containsExactly(Severity.BLOCKING);

        String more = unfit + """
                ---
                apiVersion: metal3.io/v1alpha1
                kind: BareMetalHost
                metadata: {name: host-9, labels: {role: cp}}
                spec: {online: true, bmc: {address: 'redfish-virtualmedia://192.0.2.200/redfish/v1/Systems/9', credentialsName: bmc}}
                """;
        assertThat(memory(more)).containsExactly(Severity.WARNING);
    }

    private static List<Severity> memory(String yaml) {
        return findings(PlanFixture.plan(yaml)).stream()
                .filter(finding -> finding.check() == PlanCheck.HOST_MEMORY)
                .map(PlanFinding::severity)
                .toList();
    }

    /** Metal3 chooses any host that it can take, so an unfit one is a risk as long as there are others. */
    @Test
    void anUnfitHostBesideEnoughOthers_isAWarning() {
        String small =
                (PlanFixture.cluster() + PlanFixture.hosts()).replaceFirst("ramMebibytes: 32768", "ramMebibytes: 8192");

        assertThat(findings(PlanFixture.plan(small)))
                .filteredOn(finding -> finding.check() == PlanCheck.HOST_MEMORY)
                .singleElement()
                .extracting(PlanFinding::severity)
                .isEqualTo(Severity.WARNING);
    }

    @Test
    void aHostOfTheClusterItself_isKept_andOneOfAnotherIsNot() {
        String consumer = "  consumerRef: {kind: Metal3Machine, namespace: default, name: m}\n  online: true";
        String hosts = PlanFixture.hosts().replace("  online: true", consumer);

        assertThat(findings(PlanFixture.plan(PlanFixture.cluster()
                        + hosts.replace("labels: {role", "labels: {cluster.x-k8s.io/cluster-name: prod, role"))))
                .extracting(PlanFinding::check)
                .doesNotContain(PlanCheck.HOSTS_TOO_FEW);
        assertThat(findings(PlanFixture.plan(PlanFixture.cluster() + hosts)).stream()
                        .filter(finding -> finding.check() == PlanCheck.HOSTS_TOO_FEW))
                .hasSize(2)
                .allSatisfy(finding -> assertThat(finding.why()).contains(": is taken by Metal3Machine default/m"));
    }

    @Test
    void namesThatDoNotResolve_areWarnings() {
        PlanInput input = PlanInput.of(List.of(new ManifestFile("plan.yaml", PlanFixture.cluster())), "default");
        Map<String, List<String>> dns = Map.of("api.prod.lab.example", List.of("192.0.2.99"));

        assertThat(InstallationPlan.of(input, name -> dns.getOrDefault(name, List.of()))
                        .getFirst()
                        .findings())
                .filteredOn(finding -> finding.check() == PlanCheck.DNS_NAMES)
                .extracting(PlanFinding::severity, PlanFinding::what, PlanFinding::remedy)
                .containsExactly(
                        tuple(Severity.WARNING, "api.prod.lab.example is 192.0.2.99", "create a record for 192.0.2.10"),
                        tuple(
                                Severity.WARNING,
                                "*.apps.prod.lab.example does not exist",
                                "create a record for 192.0.2.11"));
    }

    @Test
    void aWildcardRecordOfTheDomain_isAWarning_thatOfAppsIsNone() {
        PlanInput input = PlanInput.of(List.of(new ManifestFile("plan.yaml", PlanFixture.cluster())), "default");
        Function<String, List<String>> good = name -> List.of(name.startsWith("api") ? "192.0.2.10" : "192.0.2.11");
        Function<String, List<String>> apps = name -> name.startsWith("validate") ? List.of() : good.apply(name);

        assertThat(dns(InstallationPlan.of(input, apps))).isEmpty();
        assertThat(dns(InstallationPlan.of(input, good)))
                .extracting(PlanFinding::severity, PlanFinding::what, PlanFinding::remedy)
                .containsExactly(tuple(
                        Severity.WARNING,
                        "any name below prod.lab.example is 192.0.2.11",
                        "remove the record *.prod.lab.example; only *.apps.prod.lab.example may be one"));
    }

    private static List<PlanFinding> dns(List<InstallationPlan> plans) {
        return plans.getFirst().findings().stream()
                .filter(finding -> finding.check() == PlanCheck.DNS_NAMES)
                .toList();
    }

    private static List<PlanFinding> findings(PlanResult result) {
        return Stream.concat(
                        result.findings().stream(),
                        result.clusters().stream().flatMap(plan -> plan.findings().stream()))
                .toList();
    }

    private static Arguments fails(String severity, String check, String object, String what, String... changes) {
        return Arguments.of(severity, check, object, what, List.of(changes));
    }
}
