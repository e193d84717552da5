package io.capoa.controlplane.integration;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.HardwareData;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.failure.Evidence;
import io.capoa.runtime.options.WatchScope;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Acts as user, Cluster API and assisted-service for one cluster in its own namespace. */
final class ControlPlanePeers {

    static final String NAME = "one";

    final String namespace;
    final String name;
    final KubernetesClient client;
    private final String watchFilter;

    /** In a new namespace, for a manager of its own. */
    ControlPlanePeers(TestCluster cluster) {
        this(cluster, "");
    }

    /** In a new namespace, for a manager that runs. */
    ControlPlanePeers(RunningControlPlane running) {
        this(running.cluster, running.watchFilter());
    }

    private ControlPlanePeers(TestCluster cluster, String watchFilter) {
        this(cluster.admin(), "acp-" + UUID.randomUUID().toString().substring(0, 8), NAME, watchFilter);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        Evidence.namespace(cluster, namespace);
    }

    private ControlPlanePeers(KubernetesClient client, String namespace, String name, String watchFilter) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
        this.watchFilter = watchFilter;
    }

    /** The same for another cluster in the namespace. */
    ControlPlanePeers beside(String other) {
        return new ControlPlanePeers(client, namespace, other, watchFilter);
    }

    void pullSecret() {
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("pull-secret")
                        .endMetadata()
                        .addToStringData(".dockerconfigjson", "{\"auths\":{\"quay.io\":{\"auth\":\"YTpi\"}}}")
                        .build())
                .create();
    }

    void template() {
        apply("""
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
            kind: Metal3MachineTemplate
            metadata:
              name: %s-controlplane
            spec:
              template:
                spec:
                  image:
                    url: http://images.lab.example/rhcos.qcow2
                    checksum: http://images.lab.example/rhcos.qcow2.sha256
                    checksumType: sha256
                    diskFormat: qcow2
            """.formatted(name));
    }

    /** A host that baremetal-operator has not seen yet. */
    void newHost(String host) {
        apply("""
            apiVersion: metal3.io/v1alpha1
            kind: BareMetalHost
            metadata: {name: %1$s}
            spec:
              online: true
              bmc: {address: 'redfish-virtualmedia://192.0.2.200/redfish/v1/Systems/%1$s', credentialsName: bmc}
            """.formatted(host));
    }

    /** An available host whose disk hints and inspected memory are given; Metal3 has found one disk, /dev/sda. */
    void host(String host, String deviceName, int mebibytes) {
        apply("""
            apiVersion: metal3.io/v1alpha1
            kind: BareMetalHost
            metadata: {name: %1$s}
            spec:
              online: true
              bootMACAddress: 52:54:00:00:00:0%2$s
              bmc: {address: 'redfish-virtualmedia://192.0.2.200/redfish/v1/Systems/%1$s', credentialsName: bmc}
              rootDeviceHints: {deviceName: %3$s}
            """.formatted(host, host.charAt(host.length() - 1), deviceName));
        status(
                client.genericKubernetesResources("metal3.io/v1alpha1", "BareMetalHost")
                        .inNamespace(namespace)
                        .withName(host)
                        .require(),
                """
                {"status":{"errorCount":0,"errorMessage":"","operationalStatus":"OK","poweredOn":false,"hardwareProfile":"",
                 "provisioning":{"ID":"","image":{"url":""},"state":"available"}}}\
                """);
        apply("""
            apiVersion: metal3.io/v1alpha1
            kind: HardwareData
            metadata: {name: %1$s}
            spec:
              hardware:
                hostname: %1$s
                cpu: {arch: x86_64, count: 16}
                ramMebibytes: %3$d
                nics: [{name: eno1, mac: '52:54:00:00:00:0%2$s', ip: 192.0.2.2%2$s}]
                storage: [{name: /dev/sda, sizeBytes: 480000000000, rotational: false}]
            """.formatted(host, host.charAt(host.length() - 1), mebibytes));
    }

    /** What is in the HardwareData is in the status of the host, too, as baremetal-operator writes it. */
    void copyHardware(String host) {
        Object hardware = Fields.any(
                client.resources(HardwareData.class)
                        .inNamespace(namespace)
                        .withName(host)
                        .require(),
                "spec",
                "hardware");
        status(
                client.resources(BareMetalHost.class)
                        .inNamespace(namespace)
                        .withName(host)
                        .require(),
                client.getKubernetesSerialization().asJson(Map.of("status", Map.of("hardware", hardware))));
    }

    /** A Cluster with infrastructure, and its control plane of three. */
    OpenshiftAssistedControlPlane controlPlane(String... changes) {
        cluster();
        infrastructure(true, List.of());
        return onlyControlPlane(changes);
    }

    void cluster() {
        apply("""
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Cluster
            metadata:
              name: %1$s
            spec:
              clusterNetwork:
                pods: {cidrBlocks: [172.18.0.0/20]}
                services: {cidrBlocks: [10.96.0.0/12]}
              controlPlaneEndpoint: {host: api.%1$s.lab.example, port: 6443}
              controlPlaneRef:
                apiGroup: controlplane.cluster.x-k8s.io
                kind: OpenshiftAssistedControlPlane
                name: %1$s
            """.formatted(name));
    }

    /** The infrastructure provider reports its state. */
    void infrastructure(boolean provisioned, List<String> failureDomains) {
        String domains = failureDomains.stream()
                .map(domain -> "{\"name\":\"%s\",\"controlPlane\":true}".formatted(domain))
                .collect(Collectors.joining(",", ",\"failureDomains\":[", "]"));
        status(
                owner(),
                "{\"status\":{\"initialization\":{\"infrastructureProvisioned\":%s}%s}}"
                        .formatted(provisioned, failureDomains.isEmpty() ? "" : domains));
    }

    Cluster owner() {
        return client.resources(Cluster.class)
                .inNamespace(namespace)
                .withName(name)
                .require();
    }

    /** The control plane of an existing Cluster; changes are YAML to be merged. */
    OpenshiftAssistedControlPlane onlyControlPlane(String... changes) {
        GenericKubernetesResource object =
                read("""
                    apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                    kind: OpenshiftAssistedControlPlane
                    metadata:
                      name: %1$s
                      ownerReferences:
                      - {apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, name: %1$s, uid: %2$s, controller: true}
                    spec:
                      distributionVersion: 4.20.3
                      replicas: 3
                      machineTemplate:
                        spec:
                          infrastructureRef:
                            apiGroup: infrastructure.cluster.x-k8s.io
                            kind: Metal3MachineTemplate
                            name: %1$s-controlplane
                      config:
                        baseDomain: lab.example
                        apiVIPs: [192.0.2.10]
                        ingressVIPs: [192.0.2.11]
                        pullSecretRef: {name: pull-secret}
                      openshiftAssistedConfigSpec:
                        pullSecretRef: {name: pull-secret}
                    """.formatted(name, owner().getMetadata().getUid()), changes);
        if (!watchFilter.isEmpty()) {
            label(object);
        }
        client.resource(object).create();
        return current();
    }

    private void label(GenericKubernetesResource object) {
        Map<String, String> labels = new HashMap<>(object.getMetadata().getLabels());
        labels.put(WatchScope.LABEL, watchFilter);
        object.getMetadata().setLabels(labels);
    }

    /** The manager that others use, too, no longer reconciles the control planes of the namespace. */
    void leave() {
        client.resources(OpenshiftAssistedControlPlane.class).inNamespace(namespace).list().getItems().stream()
                .filter(controlPlane -> !controlPlane.isMarkedForDeletion())
                .forEach(controlPlane ->
                        merge(controlPlane, "{\"metadata\":{\"labels\":{\"%s\":null}}}".formatted(WatchScope.LABEL)));
    }

    /** The user edits the control plane; YAML to be merged. */
    void edit(String change) {
        merge(
                current(),
                client.getKubernetesSerialization()
                        .asJson(client.getKubernetesSerialization().unmarshal(change, Map.class)));
    }

    /** An AgentClusterInstall of an earlier provider, with a ClusterImageSet of the same name. */
    void installOf(OpenshiftAssistedControlPlane controlPlane, String imageSet) {
        apply("""
            apiVersion: extensions.hive.openshift.io/v1beta1
            kind: AgentClusterInstall
            metadata:
              name: %1$s
              ownerReferences:
              - {apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: OpenshiftAssistedControlPlane, name: %1$s, uid: %2$s}
            spec:
              clusterDeploymentRef: {name: %1$s}
              imageSetRef: {name: %3$s}
              networking: {}
              provisionRequirements: {controlPlaneAgents: 3}
            """.formatted(
                controlPlane.getMetadata().getName(), controlPlane.getMetadata().getUid(), imageSet));
    }

    OpenshiftAssistedControlPlane current() {
        return client.resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName(name)
                .require();
    }

    /** The Machines of the cluster, sorted by name. */
    List<Machine> machines() {
        return client.resources(Machine.class).inNamespace(namespace).list().getItems().stream()
                .filter(machine -> name.equals(Fields.string(machine, "spec", "clusterName")))
                .toList();
    }

    ClusterDeployment deployment() {
        return client.resources(ClusterDeployment.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    /** The ClusterImageSet of the AgentClusterInstall. */
    ClusterImageSet imageSet() {
        return client.resources(ClusterImageSet.class)
                .withName(Fields.string(install(), "spec", "imageSetRef", "name"))
                .get();
    }

    /** Cluster API reports whether a Machine is ready. */
    void ready(Machine machine, boolean ready) {
        ready(machine, ready, "");
    }

    /**
     * As {@link #ready(Machine, boolean)}.
     *
     * @param message what the Machine waits for
     */
    void ready(Machine machine, boolean ready, String message) {
        String status = ready ? "True" : "False";
        status(machine, """
            {"status":{"nodeInfo":{"kubeletVersion":"v1.33.5","architecture":"","bootID":"","containerRuntimeVersion":"","kernelVersion":"","kubeProxyVersion":"","machineID":"","operatingSystem":"","osImage":"","systemUUID":""},
             "conditions":[
              {"type":"UpToDate","status":"True","reason":"UpToDate","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
              {"type":"Ready","status":"%1$s","reason":"Told","message":"%2$s","lastTransitionTime":"2026-01-01T00:00:00Z"},
              {"type":"Available","status":"%1$s","reason":"Told","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
            """.formatted(status, message));
    }

    AgentClusterInstall install() {
        return client.resources(AgentClusterInstall.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    Secret kubeconfig() {
        return client.secrets()
                .inNamespace(namespace)
                .withName(name + "-kubeconfig")
                .get();
    }

    /** assisted-service publishes or replaces the admin kubeconfig. */
    void publishKubeconfig(String content) {
        String uid = deployment().getMetadata().getUid();
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name + "-admin-kubeconfig")
                        .addToLabels("hive.openshift.io/secret-type", "kubeconfig")
                        .addNewOwnerReference()
                        .withApiVersion("hive.openshift.io/v1")
                        .withKind("ClusterDeployment")
                        .withName(name)
                        .withUid(uid)
                        .endOwnerReference()
                        .endMetadata()
                        .addToData("kubeconfig", Base64.getEncoder().encodeToString(content.getBytes(UTF_8)))
                        .build())
                .fieldManager("assisted-service")
                .serverSideApply();
        nameKubeconfig();
    }

    /** assisted-service sets the reference to the admin kubeconfig. */
    void nameKubeconfig() {
        merge(install(), """
            {"spec":{"clusterMetadata":{"adminKubeconfigSecretRef":{"name":"%s-admin-kubeconfig"},
             "clusterID":"a","infraID":"b"}}}\
            """.formatted(name));
    }

    /** assisted-service reports the installation as complete. */
    void complete() {
        status(install(), """
            {"status":{"conditions":[{"type":"Completed","status":"True","reason":"InstallationCompleted",
             "message":"The installation has completed: Cluster is installed"}]}}\
            """);
    }

    void scaleWorkers(int replicas) {
        merge(
                client.resources(MachineDeployment.class)
                        .inNamespace(namespace)
                        .withName("workers")
                        .require(),
                "{\"spec\":{\"replicas\":%d}}".formatted(replicas));
    }

    void installState(String state) {
        status(install(), "{\"status\":{\"debugInfo\":{\"state\":\"%s\"}}}".formatted(state));
    }

    void merge(HasMetadata object, String patch) {
        client.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    void status(HasMetadata object, String patch) {
        client.resource(object).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    /** Creates an object in the namespace. */
    void apply(String yaml) {
        client.resource(read(yaml)).create();
    }

    private GenericKubernetesResource read(String yaml, String... changes) {
        KubernetesSerialization serialization = client.getKubernetesSerialization();
        Map<String, Object> tree = map(serialization.unmarshal(yaml, Map.class));
        for (String change : changes) {
            over(tree, map(serialization.unmarshal(change, Map.class)));
        }
        GenericKubernetesResource object = serialization.convertValue(tree, GenericKubernetesResource.class);
        object.getMetadata().setNamespace(namespace);
        return object;
    }

    private static void over(Map<String, Object> tree, Map<String, Object> change) {
        change.forEach((key, value) -> {
            if (value instanceof Map<?, ?> inner && tree.get(key) instanceof Map<?, ?> below) {
                over(map(below), map(inner));
            } else if (value == null) {
                tree.remove(key);
            } else {
                tree.put(key, value);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object tree) {
        return (Map<String, Object>) tree;
    }
}
