package io.capoa.controlplane.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneTemplate;
import io.capoa.api.rules.Findings;
import io.capoa.api.rules.Findings.Finding;
import io.capoa.runtime.webhook.Validator.Change;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Admission of control planes and their templates beyond their schema. */
class ControlPlaneAdmissionTest {

    private static final YAMLMapper YAML = new YAMLMapper();

    private static final String VALID = """
            metadata: {annotations: {}}
            spec:
              distributionVersion: 4.20.3
              replicas: 3
              machineTemplate: {spec: {infrastructureRef: {apiGroup: g, kind: Metal3MachineTemplate, name: t}}}
              config:
                baseDomain: lab.example
                apiVIPs: [192.168.111.5]
                ingressVIPs: [192.168.111.4]
                networking: {machineNetwork: [{cidr: 192.168.111.0/24}]}
                pullSecretRef: {name: pull-secret}
            """;

    private static final String SINGLE = "{replicas: 1, config: {apiVIPs: null, ingressVIPs: null}}";

    private static OpenshiftAssistedControlPlane controlPlane(String... patches) throws IOException {
        ObjectNode object = (ObjectNode) YAML.readTree(VALID);
        for (String patch : patches) {
            merge(object, YAML.readTree(patch));
        }
        return YAML.treeToValue(object, OpenshiftAssistedControlPlane.class);
    }

    private static void merge(ObjectNode into, JsonNode patch) {
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                into.remove(field.getKey());
            } else if (field.getValue() instanceof ObjectNode below
                    && into.get(field.getKey()) instanceof ObjectNode there) {
                merge(there, below);
            } else {
                into.set(field.getKey(), field.getValue());
            }
        });
    }

    private static Findings judge(
            OpenshiftAssistedControlPlane object, @Nullable OpenshiftAssistedControlPlane before) {
        Findings findings = new Findings();
        new ControlPlaneValidator().validate(new Change<>(object, before), findings);
        return findings;
    }

    private static Findings with(String spec) throws IOException {
        return judge(controlPlane("spec: " + spec), null);
    }

    private static String joined(List<Finding> findings) {
        return String.join("; ", findings.stream().map(Finding::toString).toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}
            {replicas: 5}
            {arbiter: {replicas: 1}}
            {arbiter: {replicas: 1}, distributionVersion: 4.20.0-okd-scos.5}
            {arbiter: {replicas: 1}, distributionVersion: 4.22.1, config: {apiVIPs: null, ingressVIPs: null}}
            {version: v1.33.6}
            {distributionVersion: 4.20.0-okd-scos.5, config: {pullSecretRef: null}}
            {distributionVersion: 4.19.0-0.nightly-2025-05-01-120000}
            {config: {apiVIPs: [192.168.111.5, 'fd00::5'], ingressVIPs: [192.168.111.4, 'fd00::4'], networking: {machineNetwork: [{cidr: 192.168.111.0/24}, {cidr: 'fd00::/64'}]}}}
            {config: {networking: null}}
            {config: {loadBalancer: {type: UserManaged}, apiVIPs: [10.0.0.1], ingressVIPs: [10.0.0.1]}}
            {config: {pullSecretRef: null, imageRegistryRef: {name: mirrors}}}
            {config: {capabilities: {additionalEnabledCapabilities: [NodeTuning, openshift-samples]}}}
            {config: {diskEncryption: {enableOn: all, mode: tpmv2}}}
            {config: {platform: {type: VSphere}}}
            {config: {platform: {type: Nutanix}}}
            {config: {apiVIPs: null, ingressVIPs: null, platform: {type: External, platformName: lab}}}
            {replicas: 1, config: {apiVIPs: null, ingressVIPs: null, platform: {type: External}}}
            {config: {apiVIPs: null, ingressVIPs: null, platform: {type: External, cloudControllerManager: External}, manifestsConfigMapRefs: [{name: ccm}]}}
            {config: {apiVIPs: null, ingressVIPs: null, platform: {type: External, platformName: oci}, manifestsConfigMapRefs: [{name: oci}]}}
            {config: {diskEncryption: {enableOn: all, mode: tang, tangServers: '[{"url":"http://a","thumbprint":"b"}]'}}}
            """)
    void aValidControlPlane_isAcceptedWithoutWarnings(String spec) throws IOException {
        Findings findings = with(spec);

        assertThat(findings.refused()).isEmpty();
        assertThat(findings.doubtful()).isEmpty();
    }

    @Test
    void aSingleNodeWithoutVirtualAddresses_isAccepted() throws IOException {
        assertThat(with(SINGLE).refused()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {distributionVersion: latest}  | spec.distributionVersion latest is not a release version: write three numbers without leading v, such as 4.20.3
            {distributionVersion: v4.20.3} | spec.distributionVersion v4.20.3 is not a release version
            {distributionVersion: '4.20'}  | spec.distributionVersion 4.20 is not a release version
            {distributionVersion: 4.13.9}  | spec.distributionVersion version 4.13.9 is not supported, the minimum supported version is 4.14.0: write a later one
            {config: {platform: {type: External, cloudControllerManager: External}}} | spec.config.manifestsConfigMapRefs is empty, but platform.cloudControllerManager External takes your cloud controller manager from it, without which no Node is initialized: name the ConfigMaps
            {config: {platform: {type: External, cloudControllerManager: External}, manifestsConfigMapRefs: []}} | spec.config.manifestsConfigMapRefs is empty
            {config: {platform: {type: External, platformName: oci}}} | spec.config.manifestsConfigMapRefs is empty, but assisted-service installs platform oci only with manifests
            {arbiter: {replicas: 1}, distributionVersion: 4.19.9} | spec.arbiter needs OpenShift 4.20, and distributionVersion is 4.19.9: write a later one, or leave arbiter out for three control plane hosts
            {arbiter: {replicas: 1}, config: {apiVIPs: null, ingressVIPs: null}} | spec.arbiter needs platform BareMetal, and the platform is None: give config.apiVIPs and config.ingressVIPs, or leave arbiter out
            {arbiter: {replicas: 1}, distributionVersion: 4.22.1, config: {apiVIPs: null, ingressVIPs: null, platform: {type: External}}} | spec.arbiter needs platform BareMetal or None, and the platform is External
            {config: {apiVIPs: [192.168.112.5]}}     | spec.config.apiVIPs[0] 192.168.112.5 lies in no network of networking.machineNetwork (192.168.111.0/24): write a free address
            {config: {ingressVIPs: ['fd00::4']}}     | spec.config.ingressVIPs has other IP families than apiVIPs, or another order: write as many addresses as apiVIPs has, IPv4
            {config: {ingressVIPs: [192.168.111.5]}} | spec.config.ingressVIPs[0] is an address of apiVIPs as well: write another free address
            {config: {ingressVIPs: [192.168.111.255]}} | spec.config.ingressVIPs[0] 192.168.111.255 stands for network 192.168.111.0/24 itself or all of its hosts
            {config: {apiVIPs: [192.168.111.5, 'fd00::5'], ingressVIPs: ['fd00::4', 192.168.111.4]}} | spec.config.ingressVIPs has other IP families than apiVIPs, or another order: write as many addresses as apiVIPs has, IPv4, then IPv6
            {config: {apiVIPs: ['fd00::5', 192.168.111.5], ingressVIPs: ['fd00::4', 192.168.111.4], networking: {machineNetwork: [{cidr: 192.168.111.0/24}, {cidr: 'fd00::/64'}]}}} | spec.config.apiVIPs begins with IPv6, but networking.machineNetwork with IPv4: put the same IP family first in every list
            {config: {networking: {machineNetwork: [{cidr: 192.168.111.5/24}]}}} | spec.config.networking.machineNetwork[0].cidr 192.168.111.5/24 is an address in a network, not the network: write 192.168.111.0/24
            {config: {networking: {machineNetwork: [{cidr: 192.168.0.0/16}, {cidr: 192.168.111.0/24}]}}} | spec.config.networking.machineNetwork[1].cidr 192.168.111.0/24 overlaps with 192.168.0.0/16
            {config: {capabilities: {additionalEnabledCapabilities: ['Console, Storage']}}} | spec.config.capabilities.additionalEnabledCapabilities[0] is not the name of a capability
            {config: {diskEncryption: {enableOn: all}}} | spec.config.diskEncryption.mode is needed beside enableOn: write tpmv2 or tang
            {config: {diskEncryption: {enableOn: all, mode: tang}}} | spec.config.diskEncryption.tangServers is needed for mode tang
            {config: {diskEncryption: {enableOn: all, mode: tang, tangServers: 'http://a'}}} | spec.config.diskEncryption.tangServers is not a JSON list of servers
            {config: {diskEncryption: {enableOn: all, mode: tang, tangServers: '[{"url":"a","thumbprint":"b"}]'}}} | spec.config.diskEncryption.tangServers has no URL of a server in entry 0
            {config: {diskEncryption: {enableOn: all, mode: tang, tangServers: '[{"url":"http://a","thumbprint":"b"},{"url":"http://b"}]'}}} | spec.config.diskEncryption.tangServers has no thumbprint in entry 1
            {config: {sshAuthorizedKey: '-----BEGIN RSA PRIVATE KEY-----'}} | spec.config.sshAuthorizedKey holds a private key
            {config: {sshAuthorizedKey: ssh-ed25519 AAAA}} | spec.config.sshAuthorizedKey is no public SSH key that assisted-service takes: write ssh-ed25519 AAAA...
            {openshiftAssistedConfigSpec: {sshAuthorizedKey: key}} | spec.openshiftAssistedConfigSpec.sshAuthorizedKey is no public SSH key that assisted-service takes
            {config: {proxy: {httpsProxy: 'ftp://a'}}} | spec.config.proxy.httpsProxy is no URL of a proxy
            {openshiftAssistedConfigSpec: {installerArgs: [--append-karg, a~]}} | spec.openshiftAssistedConfigSpec.installerArgs[1] has the character ~, which assisted-service does not pass on
            {openshiftAssistedConfigSpec: {installationDisk: {hctl: a}}} | spec.openshiftAssistedConfigSpec.installationDisk.hctl a is no SCSI address
            {openshiftAssistedConfigSpec: {nodeLabels: {rack: r 1}}} | spec.openshiftAssistedConfigSpec.nodeLabels rack with its value is no label
            """)
    void anInvalidValue_isRejectedWithItsFieldAndTheRemedy(String spec, String message) throws IOException {
        assertThat(joined(with(spec).refused())).contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {version: v1.32.1}            | spec.version v1.32.1 is not the Kubernetes version of 4.20.3, which holds 1.33
            {config: null}                | spec.config is missing, without it nothing is installed: give at least config.baseDomain
            {arbiter: {replicas: 1}, openshiftAssistedConfigSpec: {nodeRegistration: {kubeletExtraLabels: [a=b, 'metal3.io/uuid=$METADATA_UUID', 'c=$METADATA_C']}}} | spec.openshiftAssistedConfigSpec.nodeRegistration.kubeletExtraLabels[2] does not reach the arbiter, whose kubelet reads no labels
            {config: {pullSecretRef: null}} | spec.config.pullSecretRef is missing, and the images of OpenShift ask for credentials
            {config: {capabilities: {additionalEnabledCapabilities: [MachineAPI]}}} | MachineAPI is left out on platform BareMetal
            {config: {capabilities: {additionalEnabledCapabilities: [Consol]}}} | Consol is not among the known capabilities (baremetal, Build,
            {config: {ntpSources: [a]}, openshiftAssistedConfigSpec: {additionalNTPSources: [b]}} | spec.config.ntpSources is given together with openshiftAssistedConfigSpec.additionalNTPSources
            """)
    void aDubiousValue_isAcceptedWithAWarning(String spec, String message) throws IOException {
        Findings findings = with(spec);

        assertThat(findings.refused()).isEmpty();
        assertThat(joined(findings.doubtful())).contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"networking": {}} | ``
            [1]                | must hold a JSON object
            {"a":              | must hold a JSON object
            """)
    void theInstallConfigOverride_isValidatedAsTheReconcilerDoes(String value, String message) throws IOException {
        OpenshiftAssistedControlPlane object = controlPlane();
        object.getMetadata().getAnnotations().put("controlplane.cluster.x-k8s.io/install-config-override", value);

        String refused = joined(judge(object, null).refused());

        if (message.isEmpty()) {
            assertThat(refused).isEmpty();
        } else {
            assertThat(refused)
                    .startsWith(
                            "metadata.annotations[controlplane.cluster.x-k8s.io/install-config-override] cannot be used")
                    .contains(message);
        }
    }

    @Test
    void ignitionOverrides_areValidated() throws IOException {
        OpenshiftAssistedControlPlane object = controlPlane();
        object.getMetadata().getAnnotations().put("openshiftassistedconfig.cluster.x-k8s.io/ignition-override", "x");

        assertThat(joined(judge(object, null).refused()))
                .contains("metadata.annotations[openshiftassistedconfig.cluster.x-k8s.io/ignition-override]")
                .contains("is not JSON");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            4.19.20 | refused | 4.19.20 is older than 4.20.3, which the cluster runs: OpenShift cannot go back
            4.20.1  | doubted | 4.20.1 is older than 4.20.3, which the cluster runs: OpenShift does not support the way back
            4.22.0  | doubted | 4.22.0 skips minor versions after 4.20.3
            4.20.9  | taken   |
            4.21.0  | taken   |
            """)
    void aVersionChangeOfARunningCluster_isChecked(String wanted, String outcome, @Nullable String message)
            throws IOException {
        OpenshiftAssistedControlPlane before = controlPlane("status: {distributionVersion: 4.20.3}");
        Findings findings = judge(
                controlPlane(
                        "status: {distributionVersion: 4.20.3}", "spec: {distributionVersion: %s}".formatted(wanted)),
                before);

        assertThat(joined(findings.refused())).contains(outcome.equals("refused") ? String.valueOf(message) : "");
        assertThat(joined(findings.doubtful())).contains(outcome.equals("doubted") ? String.valueOf(message) : "");
        if (!outcome.equals("refused")) {
            assertThat(findings.refused()).isEmpty();
        }
        if (!outcome.equals("doubted")) {
            assertThat(findings.doubtful()).isEmpty();
        }
    }

    @Test
    void aLaterReleaseOfAnInstalledCluster_isAnUpgrade_withoutAWarning() throws IOException {
        String installed = "status: {distributionVersion: 4.20.3, initialization: {controlPlaneInitialized: true}}";
        Findings findings = judge(
                controlPlane(installed, "spec: {distributionVersion: 4.21.0}"),
                controlPlane(installed, "spec: {distributionVersion: 4.20.3}"));

        assertThat(findings.refused()).isEmpty();
        assertThat(findings.doubtful()).isEmpty();
    }

    @Test
    void beforeTheInstallation_anyReleaseMayBeChosen() throws IOException {
        assertThat(judge(controlPlane("spec: {distributionVersion: 4.19.1}"), controlPlane())
                        .refused())
                .isEmpty();
    }

    @Test
    void changedSettingsOfAnInstalledCluster_giveAWarning() throws IOException {
        String installed = "status: {initialization: {controlPlaneInitialized: true}}";

        Findings findings = judge(
                controlPlane(installed, "spec: {config: {ntpSources: [ntp.example.com]}}"), controlPlane(installed));

        assertThat(findings.refused()).isEmpty();
        assertThat(joined(findings.doubtful()))
                .contains("spec.config is read when the installation starts: the change does not reach the cluster");
        assertThat(judge(controlPlane(installed, "spec: {replicas: 5}"), controlPlane(installed))
                        .doubtful())
                .isEmpty();
    }

    @Test
    void aChangedPlatformExternal_givesAWarning_beforeTheInstallation() throws IOException {
        String external = "spec: {config: {platform: {type: External, platformName: %s}}}";

        assertThat(joined(judge(controlPlane(external.formatted("b")), controlPlane(external.formatted("a")))
                        .doubtful()))
                .contains("spec.config.platform is read when the cluster is registered with assisted-service: if its"
                        + " AgentClusterInstall exists already, delete that");
        assertThat(judge(controlPlane(external.formatted("a")), controlPlane(external.formatted("a")))
                        .doubtful())
                .isEmpty();
    }

    @Test
    void aTemplateWithoutTheManifestsOfACloudControllerManager_givesAWarning() throws IOException {
        Findings findings = template("""
                {spec: {distributionVersion: 4.20.3, config: {baseDomain: lab.example,
                 platform: {type: External, cloudControllerManager: External}}}}
                """);

        assertThat(findings.refused()).isEmpty();
        assertThat(joined(findings.doubtful())).contains("spec.template.spec.config.manifestsConfigMapRefs is empty");
    }

    private static Findings template(String template) throws IOException {
        Findings findings = new Findings();
        ObjectNode object = YAML.createObjectNode();
        object.putObject("spec").set("template", YAML.readTree(template));
        new ControlPlaneTemplateValidator()
                .validate(
                        new Change<>(YAML.treeToValue(object, OpenshiftAssistedControlPlaneTemplate.class), null),
                        findings);
        return findings;
    }

    @Test
    void aTemplateThatAPatchCompletes_isAccepted() throws IOException {
        Findings findings = template("""
                {spec: {distributionVersion: by-a-patch, config: {baseDomain: lab.example,
                 apiVIPs: [192.168.111.5], ingressVIPs: [192.168.111.5],
                 networking: {machineNetwork: [{cidr: 10.0.0.0/24}]}}}}
                """);

        assertThat(findings.refused()).isEmpty();
        assertThat(joined(findings.doubtful()))
                .contains("spec.template.spec.distributionVersion by-a-patch is not a release version")
                .contains("spec.template.spec.config.apiVIPs[0] 192.168.111.5 lies in no network")
                .contains("spec.template.spec.config.ingressVIPs[0] is an address of apiVIPs as well");
        assertThat(template("{}").doubtful()).isEmpty();
    }

    @Test
    void anInvalidValueOfATemplate_isRejected() throws IOException {
        Findings findings = template("""
                {metadata: {annotations: {controlplane.cluster.x-k8s.io/install-config-override: x}},
                 spec: {openshiftAssistedConfigSpec: {proxy: {httpProxy: x}, installerArgs: ['a?'],
                   installationDisk: {wwn: x}}}}
                """);

        assertThat(joined(findings.refused()))
                .contains("spec.template.metadata.annotations[controlplane.cluster.x-k8s.io/install-config-override]")
                .contains("spec.template.spec.openshiftAssistedConfigSpec.proxy.httpProxy is no URL")
                .contains("spec.template.spec.openshiftAssistedConfigSpec.installerArgs[0] has the character ?")
                .contains(
                        "spec.template.spec.openshiftAssistedConfigSpec.installationDisk.wwn x is no world wide name");
    }
}
