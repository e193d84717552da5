package io.capoa.lab.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CRD validation of our kinds: what is accepted and rejected, and that a rejection says what to write instead. */
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiValidationTest {

    private final KubernetesClient client;
    private final String namespace;

    ApiValidationTest(TestCluster cluster) {
        client = cluster.admin();
        namespace = client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("api-validation-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
    }

    @AfterAll
    void removeNamespace() {
        var unused = client.namespaces().withName(namespace).delete();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        replicas | 3
        replicas | 4
        replicas | 5
        replicas | null
        version | "v1.33.6"
        version | "1.33.6-rc.1+build.5"
        config | null
        config.apiVIPs | ["192.168.111.5", "fd00:1101::5"]
        arbiter | {"replicas": 1, "infrastructureRef": {"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "Metal3MachineTemplate", "name": "small"}}
        machineNaming | {"template": "{{ .cluster.name }}-{{.controlPlane.name}}-cp1-{{ .random }}"}
        config.capabilities.baselineCapability | "v4.18"
        config.manifestsConfigMapRefs | [{"name": "manifests"}]
        config.pullSecretRef | {"name": ""}
        config.platform | {"type": "BareMetal"}
        config.loadBalancer | {"type": "UserManaged"}
        config | {"baseDomain": "example.com", "loadBalancer": {"type": "UserManaged"}, "platform": {"type": "BareMetal"}}
        config | {"baseDomain": "example.com", "platform": {"type": "None"}, "networking": {"userManagedNetworking": true}}
        config.platform | {"type": "VSphere"}
        config.platform | {"type": "Nutanix"}
        config | {"baseDomain": "example.com", "loadBalancer": {"type": "UserManaged"}, "platform": {"type": "VSphere"}}
        config | {"baseDomain": "example.com", "platform": {"type": "External"}}
        config | {"baseDomain": "example.com", "platform": {"type": "External", "platformName": "oci", "cloudControllerManager": "External"}, "networking": {"userManagedNetworking": true}, "manifestsConfigMapRefs": [{"name": "ccm"}]}
        config | {"baseDomain": "example.com", "platform": {"type": "External", "platformName": "", "cloudControllerManager": "None"}}
        config | {"baseDomain": "example.com", "networking": {"userManagedNetworking": true}}
        config.networking | {"machineNetwork": [{"cidr": "192.168.111.0/24"}, {"cidr": "fd00::/64"}], "hostPrefix": {"ipv4": 24, "ipv6": 64}}
        config.additionalTrustBundle | "-----BEGIN CERTIFICATE-----\\nMII=\\n-----END CERTIFICATE-----"
        config.ntpSources | ["ntp.example.com", "192.168.111.1"]
        config.holdInstallation | true
        machineTemplate.spec.deletion | {"nodeDrainTimeoutSeconds": 0}
        openshiftAssistedConfigSpec.nodeRegistration.name | "$METADATA_NAME"
        openshiftAssistedConfigSpec.nodeRegistration.name | "${METADATA_NAME}"
        openshiftAssistedConfigSpec.nodeRegistration.kubeletExtraLabels | ["metal3.io/uuid=\\"${METADATA_UUID}\\""]
        openshiftAssistedConfigSpec.kernelArguments | [{"operation": "append", "value": "a=\\"b c\\""}]
        upgrade | {"acknowledgements": ["a", "b"], "acceptedRisks": ["a", "A"], "pausedWorkerPools": ["a"]}
        """)
    void whenAControlPlaneIsValid_accepts(String field, String value) {
        GenericKubernetesResource controlPlane = ApiSamples.with(ApiSamples.controlPlane("valid"), field, value);

        assertThatCode(() -> dryRun(controlPlane)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "config.sshAuthorizedKey",
                "config.proxy.noProxy",
                "config.diskEncryption.tangServers",
                "openshiftAssistedConfigSpec.sshAuthorizedKey",
                "openshiftAssistedConfigSpec.osImageVersion",
                "openshiftAssistedConfigSpec.cpuArchitecture",
                "openshiftAssistedConfigSpec.machineConfigPool",
                "openshiftAssistedConfigSpec.proxy.httpProxy"
            })
    void whenATextIsHuge_refusesIt(String field) {
        GenericKubernetesResource controlPlane =
                ApiSamples.with(ApiSamples.controlPlane("huge"), field, "\"" + "a".repeat(300 << 10) + "\"");

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> dryRun(controlPlane))
                .withMessageContaining("spec." + field)
                .withMessageContaining("Too long");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        replicas | 0 | spec.replicas takes the number of control plane hosts that OpenShift can be installed on: write 1, 3, 4 or 5
        replicas | 2 | spec.replicas counts the arbiter too, and two hosts alone are not supported: write 3, with spec.arbiter if only two of the hosts can carry a control plane
        replicas | 7 | write 1, 3, 4 or 5
        arbiter | {"replicas": 2} | spec.arbiter.replicas takes 1
        arbiter | {} | spec.arbiter.replicas: Required value
        arbiter | {"replicas": 1, "infrastructureRef": {"apiGroup": "a.b", "kind": "Metal3Machine", "name": "x"}} | infrastructureRef.kind takes the kind of a template
        machineNaming | {"template": "{{ .random }}"} | spec.machineNaming.template takes lower-case letters, digits, hyphens and the placeholders
        machineNaming | {"template": "node-{{ .random }}-x"} | and ends in -{{ .random }}: write {{ .cluster.name }}-cp-{{ .random }}
        machineNaming | {"template": "-{{ .cluster.name }}-{{ .random }}"} | spec.machineNaming.template takes
        machineNaming | {"template": "Node-{{ .random }}"} | spec.machineNaming.template takes
        machineNaming | {"template": "{{ .kubeadmControlPlane.name }}-{{ .random }}"} | spec.machineNaming.template takes
        machineNaming | {} | spec.machineNaming.template: Required value
        version | "1.33" | spec.version takes a Kubernetes version of three numbers: write v1.33.6
        version | "4.20.3" | not that of OpenShift: write v1.33.6, for example, and the OpenShift version to spec.distributionVersion
        distributionVersion | "" | spec.distributionVersion in body should be at least 1 chars long
        distributionVersion | null | spec.distributionVersion: Required value
        machineTemplate | null | spec.machineTemplate: Required value
        machineTemplate.spec.infrastructureRef | null | spec.machineTemplate.spec.infrastructureRef: Required value
        machineTemplate.spec.infrastructureRef.kind | "Metal3Machine" | infrastructureRef.kind takes the kind of a template that machines are cloned from: write Metal3MachineTemplate
        machineTemplate.spec.deletion | {"nodeDrainTimeoutSeconds": -1} | nodeDrainTimeoutSeconds in body should be greater than or equal to 0
        machineTemplate.spec.taints | [{"key": "a", "effect": "NoSchedule", "propagation": "Always"}, {"key": "a", "effect": "NoSchedule", "propagation": "Always"}] | spec.machineTemplate.spec.taints[1]: Duplicate value
        machineTemplate.spec.readinessGates | [{"conditionType": "a", "polarity": "Up"}] | supported values: "Positive", "Negative"
        config.baseDomain | null | spec.config.baseDomain: Required value
        config.pullSecretRef | {"name": "../../a/secrets/b"} | spec.config.pullSecretRef.name in body should match
        config.imageRegistryRef | {"name": "!!python/object"} | spec.config.imageRegistryRef.name in body should match
        config.manifestsConfigMapRefs | [{"name": "a?watch=true"}] | spec.config.manifestsConfigMapRefs[0].name in body should match
        config.proxy | {"noProxy": "a\\nb"} | spec.config.proxy.noProxy in body should match
        config.capabilities | {"additionalEnabledCapabilities": ["a b"]} | additionalEnabledCapabilities[0] in body should match
        distributionVersion | "4.20.3\\n" | spec.distributionVersion in body should match
        machineTemplate.metadata | {"labels": {"a": "b c"}} | spec.machineTemplate.metadata.labels.a in body should match
        openshiftAssistedConfigSpec.cpuArchitecture | "x86_64/../a" | cpuArchitecture in body should match
        openshiftAssistedConfigSpec.osImageVersion | "4.20 " | osImageVersion in body should match
        openshiftAssistedConfigSpec.machineConfigPool | "a/b" | machineConfigPool in body should match
        openshiftAssistedConfigSpec.nodeLabels | {"a": "../b"} | nodeLabels.a in body should match
        openshiftAssistedConfigSpec.additionalNTPSources | ["a\\tb"] | additionalNTPSources[0] in body should match
        config.baseDomain | "https://example.com" | config.baseDomain takes a DNS domain: write example.com
        config.clusterName | "Prod_1" | config.clusterName takes a DNS name in lower case: write prod-1
        config.apiVIPs | ["192.168.111.5", "fd00::5", "192.168.111.6"] | spec.config.apiVIPs: Too many: 3: must have at most 2 items
        config.apiVIPs | ["192.168.111.0/24"] | config.apiVIPs takes IP addresses: write 192.168.111.5
        config.apiVIPs | ["192.168.111.5", "192.168.111.6"] | config.apiVIPs takes at most one address of each family: write one IPv4 and one IPv6 address
        config.apiVIPs | null | config.apiVIPs and config.ingressVIPs go together: give both
        config.ingressVIPs | [] | config.apiVIPs and config.ingressVIPs go together: give both
        config.ingressVIPs | ["apps.example.com"] | config.ingressVIPs takes IP addresses: write 192.168.111.4
        config.ingressVIPs | ["fd00::4", "fd00::5"] | config.ingressVIPs takes at most one address of each family
        config.capabilities.baselineCapability | "4.18" | capabilities.baselineCapability takes a set of capabilities: write None, vCurrent or v4.N
        config.platform | {"type": "None"} | config.apiVIPs and config.ingressVIPs are for platforms BareMetal, VSphere and Nutanix: leave them out
        config.platform | {"type": "External"} | config.apiVIPs and config.ingressVIPs are for platforms BareMetal, VSphere and Nutanix: leave them out
        config.platform | {"type": "AWS"} | supported values: "BareMetal", "None", "External", "VSphere", "Nutanix"
        config.platform | {"type": "External", "cloudControllerManager": "Builtin"} | supported values: "External", "None"
        config.platform | {"type": "BareMetal", "cloudControllerManager": "External"} | config.platform.cloudControllerManager is for platform External: leave it out, or write config.platform.type External
        config.platform | {"cloudControllerManager": "None"} | config.platform.cloudControllerManager is for platform External
        config.platform | {"type": "None", "platformName": "oci"} | config.platform.platformName is for platform External: leave it out, or write config.platform.type External
        config.platform | {"type": "External", "platformName": "a\\nb"} | spec.config.platform.platformName in body should match
        config | {"baseDomain": "a.example", "platform": {"type": "BareMetal"}} | config.platform.type BareMetal and VSphere need config.apiVIPs and config.ingressVIPs, or config.loadBalancer.type UserManaged
        config | {"baseDomain": "a.example", "platform": {"type": "VSphere"}} | config.platform.type BareMetal and VSphere need config.apiVIPs and config.ingressVIPs
        config | {"baseDomain": "a.example", "platform": {"type": "Nutanix"}} | config.platform.type Nutanix needs config.apiVIPs and config.ingressVIPs: give both
        config | {"baseDomain": "a.example", "platform": {"type": "Nutanix"}, "loadBalancer": {"type": "UserManaged"}} | config.loadBalancer.type UserManaged is for platforms BareMetal and VSphere
        config | {"baseDomain": "a.example", "platform": {"type": "None"}, "loadBalancer": {"type": "UserManaged"}} | config.loadBalancer.type UserManaged is for platforms BareMetal and VSphere
        config | {"baseDomain": "a.example", "platform": {"type": "External"}, "loadBalancer": {"type": "ClusterManaged"}} | config.loadBalancer.type ClusterManaged needs virtual IPs, which platforms None and External do not have: leave config.loadBalancer out
        config | {"baseDomain": "a.example", "platform": {"type": "None"}, "loadBalancer": {"type": "ClusterManaged"}} | config.loadBalancer.type ClusterManaged needs virtual IPs
        config | {"baseDomain": "a.example", "platform": {"type": "External"}, "networking": {"userManagedNetworking": false}} | config.networking.userManagedNetworking false contradicts platforms None and External
        config.networking | {"userManagedNetworking": true} | config.networking.userManagedNetworking true contradicts virtual IPs and platforms BareMetal, VSphere and Nutanix
        config.networking | {"machineNetwork": [{"cidr": "192.168.111.5"}]} | networking.machineNetwork takes address blocks: write cidr: 192.168.111.0/24
        config.networking | {"networkType": "Flannel"} | Unsupported value: "Flannel"
        config.networking | {"hostPrefix": {"ipv4": 33}} | hostPrefix.ipv4 in body should be less than or equal to 32
        config.additionalTrustBundle | "certificate" | config.additionalTrustBundle takes certificates in PEM
        config.ntpSources | [""] | config.ntpSources[0] in body should be at least 1 chars long
        config.diskEncryption.enableOn | "workers,masters" | Unsupported value: "workers,masters"
        config.manifestsConfigMapRefs | [{}] | config.manifestsConfigMapRefs takes references with a name: write - name: my-manifests
        openshiftAssistedConfigSpec.nodeRegistration.name | "node-1" | nodeRegistration.name takes the name of a metadata variable: write it as $METADATA_NAME
        openshiftAssistedConfigSpec.nodeRegistration.kubeletExtraLabels | ["zone"] | nodeRegistration.kubeletExtraLabels takes labels as key=value
        openshiftAssistedConfigSpec.kernelArguments | [{"operation": "add", "value": "quiet"}] | supported values: "append", "replace", "delete"
        openshiftAssistedConfigSpec.kernelArguments | [{"operation": "append", "value": "a b"}] | kernelArguments[0].value in body should match
        rollout | {"after": "tomorrow"} | spec.rollout.after takes a time in UTC: write 2026-11-22T20:00:00Z, for example
        rollout | {"after": "2026-13-45T25:61:61Z"} | spec.rollout.after
        rollout | {"after": "2026-02-30T00:00:00Z"} | spec.rollout.after
        rollout | {"after": "2026-11-22T20:00:00.1234567890Z"} | spec.rollout.after takes a time in UTC
        upgrade | {"pausedWorkerPools": ["master"]} | spec.upgrade.pausedWorkerPools must not name master
        upgrade | {"acknowledgements": ["a", "b", "a"]} | spec.upgrade.acknowledgements has a twice: write it once
        upgrade | {"acceptedRisks": ["a", "a"]} | spec.upgrade.acceptedRisks has a twice: write it once
        upgrade | {"pausedWorkerPools": ["a", "a"]} | spec.upgrade.pausedWorkerPools has a twice: write it once
        openshiftAssistedConfigSpec.bootstrapCommandSentinelDir | "relative" | bootstrapCommandSentinelDir in body should match
        openshiftAssistedConfigSpec.postBootstrapKubeconfigPath | "/a b" | postBootstrapKubeconfigPath in body should match
        """)
    void whenAFieldOfAControlPlaneIsWrong_refusesAndSaysWhatToWrite(String field, String value, String message) {
        GenericKubernetesResource controlPlane = ApiSamples.with(ApiSamples.controlPlane("wrong"), field, value);

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> dryRun(controlPlane))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        bootstrap.cluster.x-k8s.io/v1beta1 | OpenshiftAssistedConfigTemplate
        controlplane.cluster.x-k8s.io/v1beta1 | OpenshiftAssistedControlPlane
        controlplane.cluster.x-k8s.io/v1beta1 | OpenshiftAssistedControlPlaneTemplate
        """)
    void whenAnObjectHasNoSpec_refuses(String apiVersion, String kind) {
        GenericKubernetesResource object = ApiSamples.object("""
            apiVersion: %s
            kind: %s
            metadata:
              name: without-spec
            """.formatted(apiVersion, kind));

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> dryRun(object))
                .withMessageContaining("spec: Required value");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        bootstrap.cluster.x-k8s.io/v1beta1 | OpenshiftAssistedConfigTemplate
        controlplane.cluster.x-k8s.io/v1beta1 | OpenshiftAssistedControlPlaneTemplate
        """)
    void whenATemplateIsEmpty_accepts(String apiVersion, String kind) {
        GenericKubernetesResource template = ApiSamples.object("""
            apiVersion: %s
            kind: %s
            metadata:
              name: empty
            spec:
              template: {}
            """.formatted(apiVersion, kind));

        assertThatCode(() -> dryRun(template)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        upgrade: {acceptedRisks: [a, a]}                  | spec.upgrade.acceptedRisks has a twice: write it once
        config: {baseDomain: a.example, apiVIPs: [192.0.2.5]} | config.apiVIPs and config.ingressVIPs go together
        """)
    void rulesOfControlPlanes_holdInTheirTemplates(String spec, String message) {
        GenericKubernetesResource template = ApiSamples.object("""
            apiVersion: controlplane.cluster.x-k8s.io/v1beta1
            kind: OpenshiftAssistedControlPlaneTemplate
            metadata:
              name: wrong
            spec:
              template:
                spec:
                  %s
            """.formatted(spec));

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> dryRun(template))
                .withMessageContaining(message);
    }

    @Test
    void whenAConfigHasNoSpec_itIsForAnX86Host() {
        GenericKubernetesResource config = create(ApiSamples.config("bare", "null"));

        assertThat(config.<String>get("spec", "cpuArchitecture")).isEqualTo("x86_64");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        changed    | {"sshAuthorizedKey": "a"} | {"sshAuthorizedKey": "b"}
        set-late   | null                      | {"sshAuthorizedKey": "b"}
        taken-away | {"sshAuthorizedKey": "a"} | null
        """)
    void whenTheSpecOfAConfigChanges_refuses(String name, String before, String after) {
        var unused = create(ApiSamples.config(name, before));
        GenericKubernetesResource changed = ApiSamples.config(name, after);

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() ->
                        client.resource(changed).inNamespace(namespace).patch(PatchContext.of(PatchType.JSON_MERGE)))
                .withMessageContaining("spec of an OpenshiftAssistedConfig cannot be changed: change the template");
    }

    @Test
    void whenOnlyTheLabelsOfAConfigChange_accepts() {
        GenericKubernetesResource config = create(ApiSamples.config("labelled", "{sshAuthorizedKey: a}"));

        config.getMetadata().setLabels(Map.of("rack", "r1"));

        assertThatCode(() -> client.resource(config).inNamespace(namespace).update())
                .doesNotThrowAnyException();
    }

    private GenericKubernetesResource create(GenericKubernetesResource object) {
        return client.resource(object).inNamespace(namespace).create();
    }

    private void dryRun(GenericKubernetesResource object) {
        var unused = client.resource(object).inNamespace(namespace).dryRun().create();
    }
}
