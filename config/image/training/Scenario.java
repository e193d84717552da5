import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.List;

/**
 * What a manager finds, and what changes, during its training.
 *
 * @param objects that exist at the start, by path of their collection, in YAML
 * @param steps what the manager does, one after the other
 */
record Scenario(List<Seed> objects, List<Step> steps) {

    /**
     * An object.
     *
     * @param collection path of its collection
     */
    record Seed(String collection, String yaml) {}

    /**
     * What the manager writes, and how its peers answer.
     *
     * @param path part of the path of the object that it writes
     * @param content part of that object
     * @param answer written afterwards; {@code null} for none
     */
    record Step(String path, String content, Seed answer) {}

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private static final String CORE = "/api/v1/namespaces/training/secrets";
    private static final String CLUSTERS = "/apis/cluster.x-k8s.io/v1beta2/namespaces/training/";
    private static final String METAL3 = "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/training/";
    private static final String INSTALLS =
            "/apis/extensions.hive.openshift.io/v1beta1/namespaces/training/agentclusterinstalls";
    private static final String DEPLOYMENTS = "/apis/hive.openshift.io/v1/namespaces/training/clusterdeployments";
    private static final String AGENT_INSTALL = "/apis/agent-install.openshift.io/v1beta1/namespaces/training/";
    private static final String CONFIGS =
            "/apis/bootstrap.cluster.x-k8s.io/v1beta1/namespaces/training/openshiftassistedconfigs";
    private static final String CONTROL_PLANES =
            "/apis/controlplane.cluster.x-k8s.io/v1beta1/namespaces/training/openshiftassistedcontrolplanes";

    private static final Seed PULL_SECRET = new Seed(CORE, """
            apiVersion: v1
            kind: Secret
            metadata: {name: pull-secret}
            type: kubernetes.io/dockerconfigjson
            data: {.dockerconfigjson: eyJhdXRocyI6eyJxdWF5LmlvIjp7ImF1dGgiOiJZVHBpIn19fQ==}
            """);

    private static final Seed CLUSTER = new Seed(CLUSTERS + "clusters", """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Cluster
            metadata: {name: demo, uid: cluster}
            spec:
              clusterNetwork: {pods: {cidrBlocks: [172.18.0.0/20]}, services: {cidrBlocks: [10.96.0.0/12]}}
              controlPlaneEndpoint: {host: api.demo.lab.example, port: 6443}
              controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: OpenshiftAssistedControlPlane, name: demo}
              infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Cluster, name: demo}
            status: {initialization: {infrastructureProvisioned: true}}
            """);

    static Scenario of(String program, int peers) {
        return program.equals("bootstrap") ? bootstrap(peers) : controlPlane();
    }

    /** A Machine, until its host is approved. */
    private static Scenario bootstrap(int peers) {
        return new Scenario(
                List.of(
                        PULL_SECRET,
                        CLUSTER,
                        new Seed(INSTALLS, """
                                apiVersion: extensions.hive.openshift.io/v1beta1
                                kind: AgentClusterInstall
                                metadata: {name: demo}
                                spec: {clusterDeploymentRef: {name: demo}, networking: {}, provisionRequirements: {controlPlaneAgents: 1}}
                                status: {debugInfo: {state: insufficient}}
                                """),
                        new Seed(DEPLOYMENTS, """
                                apiVersion: hive.openshift.io/v1
                                kind: ClusterDeployment
                                metadata: {name: demo}
                                spec: {baseDomain: lab.example, clusterName: demo, clusterInstallRef: {group: extensions.hive.openshift.io, version: v1beta1, kind: AgentClusterInstall, name: demo}}
                                """),
                        new Seed(CLUSTERS + "machines", """
                                apiVersion: cluster.x-k8s.io/v1beta2
                                kind: Machine
                                metadata: {name: host, labels: {cluster.x-k8s.io/cluster-name: demo}}
                                spec:
                                  clusterName: demo
                                  bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfig, name: host}}
                                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Machine, name: host}
                                """),
                        new Seed(METAL3 + "metal3machines", """
                                apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
                                kind: Metal3Machine
                                metadata:
                                  name: host
                                  ownerReferences:
                                  - {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: host, uid: UID-OF-machines/host, controller: true}
                                spec: {image: {url: 'http://images/rhcos.qcow2', checksum: abc, checksumType: sha256, diskFormat: qcow2}}
                                """),
                        new Seed(CONFIGS, """
                                apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
                                kind: OpenshiftAssistedConfig
                                metadata:
                                  name: host
                                  labels: {cluster.x-k8s.io/cluster-name: demo}
                                  ownerReferences:
                                  - {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: host, uid: UID-OF-machines/host, controller: true}
                                spec: {cpuArchitecture: x86_64, pullSecretRef: {name: pull-secret}}
                                """)),
                List.of(
                        new Step("/infraenvs/host", "pullSecretRef", new Seed(AGENT_INSTALL + "infraenvs/host", """
                                status:
                                  bootArtifacts: {discoveryIgnitionURL: 'http://127.0.0.1:%d/host?api_key=key'}
                                """.formatted(peers))),
                        new Step("/openshiftassistedconfigs/host", "dataSecretName", null)));
    }

    /** A control plane, until its Machines exist. */
    private static Scenario controlPlane() {
        return new Scenario(
                List.of(
                        PULL_SECRET,
                        CLUSTER,
                        new Seed(METAL3 + "metal3machinetemplates", """
                                apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
                                kind: Metal3MachineTemplate
                                metadata: {name: demo}
                                spec: {template: {spec: {image: {url: 'http://images/rhcos.qcow2', checksum: abc, checksumType: sha256, diskFormat: qcow2}}}}
                                """),
                        new Seed(CONTROL_PLANES, """
                                apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                                kind: OpenshiftAssistedControlPlane
                                metadata:
                                  name: demo
                                  labels: {cluster.x-k8s.io/cluster-name: demo}
                                  ownerReferences:
                                  - {apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, name: demo, uid: UID-OF-clusters/demo, controller: true}
                                spec:
                                  distributionVersion: 4.20.3
                                  replicas: 3
                                  machineTemplate: {spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: demo}}}
                                  config: {baseDomain: lab.example, apiVIPs: [192.0.2.10], ingressVIPs: [192.0.2.11], pullSecretRef: {name: pull-secret}}
                                  openshiftAssistedConfigSpec: {cpuArchitecture: x86_64, pullSecretRef: {name: pull-secret}}
                                """)),
                List.of(
                        new Step("/clusterdeployments/demo", "lab.example", null),
                        new Step("/machines/", "infrastructureRef", null),
                        new Step("/openshiftassistedcontrolplanes/demo", "\"conditions\"", null)));
    }

    /** Writes the object; a reference {@code UID-OF-plural/name} becomes the uid of that object. */
    static void write(ApiServer server, Seed seed) throws IOException {
        ObjectNode object = (ObjectNode) YAML.readTree(seed.yaml());
        boolean isCollection = object.has("kind");
        String path = seed.collection() + (isCollection ? "/" + object.at("/metadata/name").asText() : "");
        String json = server.stored().resolve(object.toString());
        server.write(isCollection ? path : path + "/status", "application/merge-patch+json", json);
    }
}
