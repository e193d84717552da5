package io.capoa.bootstrap.config.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.bootstrap.infrastructure.CachedMetal3;
import io.capoa.runtime.watch.CacheRoom;
import io.capoa.runtime.watch.LimitedStore;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many servers of one namespace the caches hold, with objects as the other products fill them. */
class HeldHostsTest {

    /** What a JVM reports as its heap with the shipped options and memory limit. */
    private static final long HEAP = 129_761_280;

    private static final String NAMESPACE = "data-centre";
    private static final int MORE_THAN_FIT = 5_000;

    private final CacheRoom room = CacheRoom.ofOthers(HEAP);
    private final Map<String, LimitedStore<HasMetadata>> stores =
            List.of("machine", "metal3machine", "baremetalhost", "infraenv", "agent", "secret").stream()
                    .collect(Collectors.toMap(kind -> kind, kind -> LimitedStore.pruned(pruning(), room)));

    @Test
    void withShippedLimits_aNamespaceHolds400InstalledServers() {
        assertThat(held(12, "installed")).isGreaterThanOrEqualTo(400);
    }

    @Test
    void withShippedLimits_aNamespaceHolds250ServersThatRegisterAtTheSameTime() {
        assertThat(held(12, "known")).isGreaterThanOrEqualTo(250);
    }

    /** How many servers fit. */
    private int held(int disks, String state) {
        int host = 0;
        while (host < MORE_THAN_FIT && isHeld()) {
            put("machine", MACHINE, host, Machine.class);
            put("metal3machine", METAL3_MACHINE, host, Metal3Machine.class);
            put("baremetalhost", HOST, host, BareMetalHost.class);
            put("infraenv", INFRA_ENV, host, InfraEnv.class);
            put("agent", agent(disks, state), host, Agent.class);
            put("secret", DATA, host, Secret.class);
            host++;
        }
        return host - 1;
    }

    private boolean isHeld() {
        return stores.values().stream()
                .allMatch(store -> store.notHeldIn(NAMESPACE).isEmpty());
    }

    private <R extends HasMetadata> void put(String kind, String yaml, int host, Class<R> type) {
        R object = Serialization.unmarshal(yaml.replace("%d", String.format("%04d", host)), type);
        object.getMetadata().setNamespace(NAMESPACE);
        stores.get(kind).put(NAMESPACE + "/" + object.getMetadata().getName(), object);
    }

    private static UnaryOperator<HasMetadata> pruning() {
        return object -> switch (object) {
            case Machine machine -> ConfigPruning.machine(machine);
            case Agent agent -> ConfigPruning.agent(agent);
            case InfraEnv infraEnv -> ConfigPruning.infraEnv(infraEnv);
            case Secret secret -> ConfigPruning.secret(secret);
            default -> CachedMetal3.pruned(object);
        };
    }

    /** As Cluster API 1.11 and newer make one of a KubeadmControlPlane or MachineSet. */
    private static final String MACHINE = """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Machine
            metadata:
              name: rack-7-workers-x7k2p-%d
              uid: 6f9619ff-8b86-4011-b42d-00cf4fc9%d
              resourceVersion: "123456789"
              creationTimestamp: "2026-01-02T03:04:05Z"
              annotations: {cluster.x-k8s.io/machine-template-hash: "1234567890"}
              finalizers: [machine.cluster.x-k8s.io]
              labels:
                cluster.x-k8s.io/cluster-name: data-centre
                cluster.x-k8s.io/deployment-name: rack-7-workers
                cluster.x-k8s.io/set-name: rack-7-workers-x7k2p
                machine-template-hash: 1234567890-x7k2p
                topology.cluster.x-k8s.io/owned: ""
              ownerReferences:
              - {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineSet, name: rack-7-workers-x7k2p, uid: 0e37df36-f698-11e6-8dd4-cb9ced3df976, controller: true, blockOwnerDeletion: true}
            spec:
              clusterName: data-centre
              version: v1.33.5
              providerID: metal3://data-centre/server-%d/rack-7-workers-x7k2p-%d
              bootstrap:
                dataSecretName: rack-7-workers-x7k2p-%d
                configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfig, name: rack-7-workers-x7k2p-%d}
              infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Machine, name: rack-7-workers-x7k2p-%d}
            status:
              phase: Running
              initialization: {bootstrapDataSecretCreated: true, infrastructureProvisioned: true}
              nodeRef: {name: server-%d.data-centre.example.com}
              addresses: [{type: InternalIP, address: 10.0.7.9}, {type: Hostname, address: server-%d}]
              nodeInfo: {kubeletVersion: v1.33.5, osImage: Red Hat Enterprise Linux CoreOS}
              conditions: [{type: Ready, status: "True", reason: Ready, message: ""}]
            """;

    private static final String METAL3_MACHINE = """
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
            kind: Metal3Machine
            metadata:
              name: rack-7-workers-x7k2p-%d
              uid: 6f9619ff-8b86-4012-b42d-00cf4fc9%d
              annotations:
                cluster.x-k8s.io/cloned-from-groupkind: Metal3MachineTemplate.infrastructure.cluster.x-k8s.io
                cluster.x-k8s.io/cloned-from-name: rack-7-workers
                metal3.io/BareMetalHost: data-centre/server-%d
              finalizers: [metal3machine.infrastructure.cluster.x-k8s.io]
              labels:
                cluster.x-k8s.io/cluster-name: data-centre
                cluster.x-k8s.io/deployment-name: rack-7-workers
                cluster.x-k8s.io/set-name: rack-7-workers-x7k2p
                machine-template-hash: 1234567890-x7k2p
              ownerReferences:
              - {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: rack-7-workers-x7k2p-%d, uid: 6f9619ff-8b86-4011-b42d-00cf4fc9%d, controller: true, blockOwnerDeletion: true}
            spec:
              automatedCleaningMode: metadata
              customDeploy: {method: install_coreos}
              image: {url: "https://assisted-image-service.example.com/byapikey/eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9/4.20/x86_64/full.iso", format: live-iso}
              hostSelector: {matchLabels: {rack: "7", role: worker}}
              providerID: metal3://data-centre/server-%d/rack-7-workers-x7k2p-%d
            status: {ready: true, addresses: [{type: InternalIP, address: 10.0.7.9}]}
            """;

    /** After an inspection, which lists all hardware. */
    private static final String HOST = """
            apiVersion: metal3.io/v1alpha1
            kind: BareMetalHost
            metadata:
              name: server-%d
              uid: 6f9619ff-8b86-4013-b42d-00cf4fc9%d
              annotations: {inspect.metal3.io: disabled, baremetalhost.metal3.io/detached: ""}
              finalizers: [baremetalhost.metal3.io]
              labels: {cluster.x-k8s.io/cluster-name: data-centre, rack: "7", role: worker, topology.kubernetes.io/zone: room-3}
              ownerReferences:
              - {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: Metal3Machine, name: rack-7-workers-x7k2p-%d, uid: 6f9619ff-8b86-4012-b42d-00cf4fc9%d, controller: true}
            spec:
              bmc: {address: "redfish-virtualmedia://10.1.7.9/redfish/v1/Systems/1", credentialsName: server-%d-bmc, disableCertificateVerification: true}
              bootMACAddress: "52:54:00:07:09:01"
              bootMode: UEFI
              consumerRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: Metal3Machine, name: rack-7-workers-x7k2p-%d, namespace: data-centre}
              customDeploy: {method: install_coreos}
              online: true
              rootDeviceHints: {deviceName: /dev/disk/by-path/pci-0000:3b:00.0-nvme-1}
            status:
              errorMessage: ""
              poweredOn: true
              provisioning: {ID: 6f9619ff-8b86-4011-b42d-00cf4fc91111, state: provisioned, bootMode: UEFI}
              operationHistory: {provision: {start: "2026-01-02T03:04:05Z", end: "2026-01-02T03:14:05Z"}, register: {start: "2026-01-02T03:04:05Z", end: "2026-01-02T03:14:05Z"}}
              hardware: {hostname: server-%d, ramMebibytes: 786432, cpu: {arch: x86_64, count: 128}}
            """;

    private static final String INFRA_ENV = """
            apiVersion: agent-install.openshift.io/v1beta1
            kind: InfraEnv
            metadata:
              name: rack-7-workers-x7k2p-%d
              uid: 6f9619ff-8b86-4014-b42d-00cf4fc9%d
              finalizers: [infraenv.agent-install.openshift.io/ai-deprovision]
              labels: {bootstrap.cluster.x-k8s.io/openshiftassistedconfig-name: rack-7-workers-x7k2p-%d, cluster.x-k8s.io/cluster-name: data-centre}
              ownerReferences:
              - {apiVersion: bootstrap.cluster.x-k8s.io/v1beta1, kind: OpenshiftAssistedConfig, name: rack-7-workers-x7k2p-%d, uid: 6f9619ff-8b86-4015-b42d-00cf4fc9%d, controller: true}
              - {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: rack-7-workers-x7k2p-%d, uid: 6f9619ff-8b86-4011-b42d-00cf4fc9%d}
            spec:
              additionalNTPSources: [ntp-1.example.com, ntp-2.example.com]
              additionalTrustBundle: TRUST
              clusterRef: {name: data-centre, namespace: data-centre}
              cpuArchitecture: x86_64
              ignitionConfigOverride: OVERRIDE
              imageType: full-iso
              kernelArguments: [{operation: append, value: "console=ttyS0"}]
              nmStateConfigLabelSelector: {matchLabels: {server: server-%d}}
              proxy: {httpProxy: "http://proxy.example.com:3128", httpsProxy: "http://proxy.example.com:3128", noProxy: ".example.com,10.0.0.0/8,172.30.0.0/16"}
              pullSecretRef: {name: pull-secret}
              sshAuthorizedKey: KEY
            status:
              agentLabelSelector: {matchLabels: {infraenvs.agent-install.openshift.io: rack-7-workers-x7k2p-%d}}
              bootArtifacts:
                initrd: "https://assisted-image-service.example.com/images/4f3c2b1a-0d9e-4c8b-a7f6-5e4d3c2b%d/pxe-initrd?api_key=TOKEN&arch=x86_64&version=4.20"
                ipxeScript: "https://assisted-service.example.com/api/assisted-install/v2/infra-envs/4f3c2b1a-0d9e-4c8b-a7f6-5e4d3c2b%d/downloads/files?api_key=TOKEN&file_name=ipxe-script"
                kernel: "https://assisted-image-service.example.com/boot-artifacts/kernel?arch=x86_64&version=4.20"
                rootfs: "https://assisted-image-service.example.com/boot-artifacts/rootfs?arch=x86_64&version=4.20"
                discoveryIgnitionURL: "https://assisted-service.example.com/api/assisted-install/v2/infra-envs/4f3c2b1a-0d9e-4c8b-a7f6-5e4d3c2b%d/downloads/files?api_key=TOKEN&file_name=discovery.ign"
              createdTime: "2026-01-02T03:04:05Z"
              debugInfo: {eventsURL: "https://assisted-service.example.com/api/assisted-install/v2/events?api_key=TOKEN&infra_env_id=4f3c2b1a-0d9e-4c8b-a7f6-5e4d3c2b%d", staticNetworkDownloadURL: "https://assisted-service.example.com/api/assisted-install/v2/infra-envs/4f3c2b1a-0d9e-4c8b-a7f6-5e4d3c2b%d/downloads/files?api_key=TOKEN&file_name=static-network-config"}
              infraEnvDebugInfo: {}
              isoDownloadURL: "https://assisted-image-service.example.com/byapikey/TOKEN/4.20/x86_64/full.iso"
              conditions: [{type: ImageCreated, status: "True", reason: ImageCreated, message: Image has been created, lastTransitionTime: "2026-01-02T03:04:05Z"}]
            """.replace("TRUST", "x".repeat(4_000))
            .replace("OVERRIDE", "x".repeat(1_500))
            .replace("KEY", "x".repeat(600))
            .replace("TOKEN", "x".repeat(250));

    private static final String DATA = """
            apiVersion: v1
            kind: Secret
            metadata:
              name: rack-7-workers-x7k2p-%d
              uid: 6f9619ff-8b86-4016-b42d-00cf4fc9%d
              labels: {bootstrap.cluster.x-k8s.io/openshiftassistedconfig-name: rack-7-workers-x7k2p-%d, cluster.x-k8s.io/cluster-name: data-centre}
              ownerReferences:
              - {apiVersion: bootstrap.cluster.x-k8s.io/v1beta1, kind: OpenshiftAssistedConfig, name: rack-7-workers-x7k2p-%d, uid: 6f9619ff-8b86-4015-b42d-00cf4fc9%d, controller: true}
            type: cluster.x-k8s.io/secret
            data: {value: eA==, format: eA==}
            """;

    /** An installed host as assisted-service reports it (agent_controller.go), with six ports. */
    private static String agent(int disks, String state) {
        String conditions =
                List.of("SpecSynced", "Connected", "RequirementsMet", "Validated", "Installed", "Bound", "Cleanup")
                        .stream()
                        .map(type ->
                                "- {type: %s, status: 'True', reason: %sReason, message: 'The agent has what condition %s asks for', lastTransitionTime: '2026-01-02T03:04:05Z', lastProbeTime: null}"
                                        .formatted(type, type, type))
                        .collect(Collectors.joining("\n  "));
        String ports = IntStream.range(0, 6)
                .mapToObj(port ->
                        "- {name: ens%df0np0, macAddress: '52:54:00:07:09:0%d', biosDevName: em%d, vendor: '0x15b3', product: '0x101d', mtu: 9000, speedMbps: 25000, hasCarrier: true, flags: [up, broadcast, multicast], ipV4Addresses: [10.0.7.9/24], ipV6Addresses: []}"
                                .formatted(port, port, port))
                .collect(Collectors.joining("\n    "));
        return """
            apiVersion: agent-install.openshift.io/v1beta1
            kind: Agent
            metadata:
              name: 4c4c4544-0051-3610-8046-b4c04f46%d
              uid: 6f9619ff-8b86-4017-b42d-00cf4fc9%d
              finalizers: [agent.agent-install.openshift.io/ai-deprovision]
              labels: {infraenvs.agent-install.openshift.io: rack-7-workers-x7k2p-%d, inventory.agent-install.openshift.io/cpu-architecture: x86_64, inventory.agent-install.openshift.io/host-manufacturer: DellInc.}
            spec:
              approved: true
              clusterDeploymentName: {name: data-centre, namespace: data-centre}
              hostname: server-%d.data-centre.example.com
              ignitionConfigOverrides: OVERRIDE
              installation_disk_id: /dev/disk/by-id/nvme-eui.36434730528006520025384300000001
              installerArgs: '["--append-karg", "ip=ens1f0np0:dhcp"]'
              role: worker
              nodeLabels: {rack: "7", node.cluster.x-k8s.io/pool: rack-7}
            status:
              bootstrap: false
              role: worker
              debugInfo:
                state: STATE
                stateInfo: Done
                eventsURL: "https://assisted-service.example.com/api/assisted-install/v2/events?api_key=TOKEN&host_id=4c4c4544"
                logsURL: "https://assisted-service.example.com/api/assisted-install/v2/clusters/0d9e/logs?api_key=TOKEN&host_id=4c4c4544"
              progress: {currentStage: Done, installationPercentage: 100, stageStartTime: "2026-01-02T03:04:05Z", progressStages: [Starting installation, Installing, Writing image to disk, Rebooting, Joined, Done]}
              ntpSources: [{sourceName: ntp-1.example.com, sourceState: synced}]
              conditions:
              CONDITIONS
              validationsInfo:
                hardware:
                - {id: has-inventory, status: success, message: Valid inventory exists for the host}
                - {id: disk-encryption-requirements-satisfied, status: failure, message: "The host's TPM version is not supported, expected: 2.0"}
              inventory:
                hostname: server-%d.data-centre.example.com
                bmcAddress: 10.1.7.9
                cpu: {architecture: x86_64, count: 128, modelName: Intel(R) Xeon(R) Gold 6430}
                memory: {physicalBytes: 824633720832, usableBytes: 810000000000}
                boot: {currentBootMode: uefi, secureBootState: Enabled}
                systemVendor: {manufacturer: Dell Inc., productName: PowerEdge R760, serialNumber: ABC1234}
                interfaces:
                PORTS
                disks:
                DISKS
            """.replace("OVERRIDE", "x".repeat(1_500))
                .replace("TOKEN", "x".repeat(250))
                .replace("CONDITIONS", conditions)
                .replace("PORTS", ports)
                .replace("STATE", state)
                .replace("DISKS", disks(disks));
    }

    private static String disks(int number) {
        return IntStream.range(0, number)
                .mapToObj(disk ->
                        "- {id: /dev/disk/by-id/nvme-eui.364347305280065200253843000000%02d, byID: /dev/disk/by-id/nvme-eui.364347305280065200253843000000%02d, byPath: '/dev/disk/by-path/pci-0000:3b:00.0-nvme-%d', name: nvme%dn1, path: /dev/nvme%dn1, driveType: SSD, model: Dell Ent NVMe v2 AGN RI U.2 3.84TB, serial: S5G0N0R12345%02d, wwn: eui.364347305280065200253843000000%02d, hctl: '0:0:%d:0', sizeBytes: 3840755982336, bootable: false, ioPerf: {syncDurationMilliseconds: 3}, installationEligibility: {eligible: true, notEligibleReasons: []}}"
                                .replace("%02d", String.format("%02d", disk))
                                .replace("%d", String.valueOf(disk)))
                .collect(Collectors.joining("\n    "));
    }
}
