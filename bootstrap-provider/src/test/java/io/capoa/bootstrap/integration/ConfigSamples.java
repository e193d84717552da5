package io.capoa.bootstrap.integration;

import io.capoa.api.contract.InfraEnv;
import java.util.Locale;

/** Objects of a {@link ConfigScene} as text, as their controllers create them. */
final class ConfigSamples {

    static final String CLUSTER = """
        apiVersion: cluster.x-k8s.io/v1beta2
        kind: Cluster
        metadata: {name: demo}
        spec:
          controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: OpenshiftAssistedControlPlane, name: demo-cp}
          infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Cluster, name: demo}
        """;

    static final String INSTALL = """
        apiVersion: extensions.hive.openshift.io/v1beta1
        kind: AgentClusterInstall
        metadata: {name: demo-cp}
        spec:
          clusterDeploymentRef: {name: demo-cp}
          networking: {}
          provisionRequirements: {controlPlaneAgents: 1}
        """;

    static final String DEPLOYMENT = """
        apiVersion: hive.openshift.io/v1
        kind: ClusterDeployment
        metadata: {name: demo-cp}
        spec:
          baseDomain: lab.example
          clusterName: demo
          platform: {agentBareMetal: {agentSelector: {}}}
          clusterInstallRef: {group: extensions.hive.openshift.io, version: v1beta1, kind: AgentClusterInstall, name: demo-cp}
        """;

    static final String UNLABELLED_AGENT = """
        apiVersion: agent-install.openshift.io/v1beta1
        kind: Agent
        metadata: {name: unlabelled}
        spec: {approved: false, role: ""}
        """;

    static final String DISK_IMAGE =
            "{url: 'http://images/rhcos.qcow2', checksum: abc, checksumType: sha256, diskFormat: qcow2}";

    static final String LIVE_ISO = "{url: 'http://live-iso.invalid/discovery.iso', diskFormat: live-iso}";

    private ConfigSamples() {}

    /**
     * A Machine.
     *
     * @param labels additional labels, each preceded by a comma
     */
    static String machine(String name, String labels) {
        return """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Machine
            metadata: {name: %1$s, labels: {cluster.x-k8s.io/cluster-name: demo%2$s}}
            spec:
              clusterName: demo
              bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfig, name: %1$s-config}}
              infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Machine, name: %1$s}
            """.formatted(name, labels);
    }

    static String metal3Machine(String name, String machineUid, String image) {
        return """
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
            kind: Metal3Machine
            metadata:
              name: %1$s
              ownerReferences:
              - {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: %1$s, uid: %2$s, controller: true}
            spec: {image: %3$s}
            """.formatted(name, machineUid, image);
    }

    /** A host claimed by a Metal3Machine; it boots from the interface of {@link #mac}. */
    static String host(String name, String labels, String namespace, String metal3Machine) {
        return """
            apiVersion: metal3.io/v1alpha1
            kind: BareMetalHost
            metadata: {name: %s, labels: %s}
            spec:
              online: true
              bootMACAddress: '%s'
              consumerRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: Metal3Machine, namespace: %s, name: %s}
            """.formatted(name, labels, mac(name).toUpperCase(Locale.ROOT), namespace, metal3Machine);
    }

    /** The MAC address of a host's first interface. */
    static String mac(String host) {
        int hash = host.hashCode();
        return "52:54:%02x:%02x:%02x:%02x".formatted(hash >>> 24, hash >>> 16 & 0xff, hash >>> 8 & 0xff, hash & 0xff);
    }

    static String config(String name, String labels, String owners, String spec) {
        return """
            apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
            kind: OpenshiftAssistedConfig
            metadata:
              name: %s
              labels: {cluster.x-k8s.io/cluster-name: demo%s}
              ownerReferences:
            %s
            spec: %s
            """.formatted(name, labels, owners.stripTrailing().indent(2), spec);
    }

    static String machineOwner(String name, String uid) {
        return "- {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: %s, uid: %s, controller: true}"
                .formatted(name, uid);
    }

    static String foreignInfraEnv(String name) {
        return """
            apiVersion: agent-install.openshift.io/v1beta1
            kind: InfraEnv
            metadata: {name: %s}
            spec: {pullSecretRef: {name: theirs}}
            """.formatted(name);
    }

    /** An Agent that is deleted with its InfraEnv. */
    static String agentOf(InfraEnv infraEnv, String name) {
        return agent(name, infraEnv.getMetadata().getName())
                .replace(
                        "metadata: {",
                        "metadata: {ownerReferences: [{apiVersion: %s, kind: InfraEnv, name: %s, uid: %s}], "
                                .formatted(
                                        infraEnv.getApiVersion(),
                                        infraEnv.getMetadata().getName(),
                                        infraEnv.getMetadata().getUid()));
    }

    /** An Agent without owner. */
    static String agent(String name, String infraEnv) {
        return """
            apiVersion: agent-install.openshift.io/v1beta1
            kind: Agent
            metadata: {name: %s, labels: {infraenvs.agent-install.openshift.io: %s}}
            spec: {approved: false, role: ""}
            """.formatted(name, infraEnv);
    }
}
