package io.capoa.lab.page;

import io.capoa.api.conditions.PlannedFinding;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Clusters in one namespace, and the page that shows them: {@code shop-017} has failed, every tenth one is being installed,
 * the rest is ready.
 */
final class PageFleet implements AutoCloseable {

    final KubernetesClient client;
    final String namespace;
    /** The remedy of {@code shop-017}. */
    final String retry;

    final PageServer page;
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final Set<GenericKubernetesResource> created = Collections.synchronizedSet(new LinkedHashSet<>());

    PageFleet(TestCluster cluster, int size) {
        client = cluster.admin();
        namespace = client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("fleet-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
        retry = "correct the cause and run: kubectl annotate oacp -n " + namespace
                + " shop-017 controlplane.cluster.x-k8s.io/retry-install=$(date +%s) --overwrite";
        IntStream.rangeClosed(1, size).parallel().forEach(this::cluster);
        page = PageServer.open(new PageReader(client), 0);
    }

    static String name(int number) {
        return "shop-%03d".formatted(number);
    }

    private void cluster(int number) {
        String name = name(number);
        boolean failed = number == 17;
        boolean installing = !failed && number % 10 == 0;
        controlPlane(
                name,
                1,
                failed || installing
                        ? """
                          observedGeneration: 1
                          replicas: 1
                          conditions:
                          - %s
                          - %s
                          - %s
                          - %s
                          """.formatted(
                                condition("ReleaseResolved", "True", "ReleaseResolved", "", -1700),
                                condition("MachinesCreated", "True", "MachinesCreated", "", -1690),
                                failed
                                        ? condition(
                                                "InstallSucceeding",
                                                "False",
                                                "InstallFailed",
                                                "The installation failed: cluster has hosts in error; Machine"
                                                        + " shop-017-0: Host rack1-017 failed at stage Writing"
                                                        + " image to disk. To try again, " + retry,
                                                -60)
                                        : condition(
                                                "InstallSucceeding", "True", "Installing", "installing, 41 %", -600),
                                condition(
                                        "Available",
                                        "False",
                                        failed ? "InstallFailed" : "ControlPlaneInstalling",
                                        failed ? "The installation failed" : "installing: Writing image to disk",
                                        -1700))
                        : """
                          observedGeneration: 1
                          replicas: 1
                          readyReplicas: 1
                          availableReplicas: 1
                          upToDateReplicas: 1
                          conditions:
                          - %s
                          - %s
                          """.formatted(
                                        condition("ReleaseResolved", "True", "ReleaseResolved", "", -86400 * 30 - 1800),
                                        condition("Available", "True", "Available", "", -86400 * 30)));
        create(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {name: %1$s-0, labels: {cluster.x-k8s.io/cluster-name: %1$s, cluster.x-k8s.io/control-plane: ""}}
                spec:
                  clusterName: %1$s
                  bootstrap:
                    configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfig, name: %1$s-0}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Machine, name: %1$s-0}
                """.formatted(name),
                failed || installing
                        ? "{phase: Provisioning, conditions: [%s]}"
                                .formatted(condition(
                                        "NodeReady", "False", "NotReady", "the Node does not exist yet", -1700))
                        : "{phase: Running, conditions: [%s, %s, %s]}"
                                .formatted(
                                        condition("InfrastructureReady", "True", "Ready", "", -86400 * 30 + 60),
                                        condition("Ready", "True", "Ready", "", -86400 * 29),
                                        condition("NodeReady", "True", "NodeReady", "", -60)));
        if (failed || installing) {
            install(name, number, failed);
        }
    }

    /** A Cluster with its control plane. */
    private void controlPlane(String name, int replicas, String status) {
        create("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: %1$s}
                spec:
                  controlPlaneRef:
                    {apiGroup: controlplane.cluster.x-k8s.io, kind: OpenshiftAssistedControlPlane, name: %1$s}
                  infrastructureRef:
                    {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Cluster, name: %1$s}
                """.formatted(name), "");
        create("""
                apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedControlPlane
                metadata: {name: %1$s, labels: {cluster.x-k8s.io/cluster-name: %1$s}}
                spec:
                  distributionVersion: 4.20.3
                  replicas: %2$d
                  machineTemplate:
                    spec:
                      infrastructureRef:
                        {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: %1$s}
                """.formatted(name, replicas), status);
    }

    /** A cluster {@code prod} whose hosts are not taken, because two of them lack the disk of their hints. */
    void blocked() {
        String message = PlannedFinding.Severity.BLOCKING.title() + "\n"
                + withoutDisk("host-2", "disk-2").line() + "\n"
                + withoutDisk("host-3", "disk-3").line() + "\n"
                + "To install nevertheless: kubectl annotate oacp -n " + namespace
                + " prod controlplane.cluster.x-k8s.io/accept-plan-findings=host-disk --overwrite";
        controlPlane("prod", 3, """
                observedGeneration: 1
                replicas: 0
                conditions: [%s, %s, %s]
                """.formatted(
                        condition("ReleaseResolved", "True", "ReleaseResolved", "", -20),
                        condition("InstallationPlanned", "False", "BlockingFindings", message, -20),
                        condition("Ready", "False", "BlockingFindings", message, -20)));
    }

    private PlannedFinding withoutDisk(String host, String model) {
        create(
                """
                apiVersion: metal3.io/v1alpha1
                kind: BareMetalHost
                metadata: {name: %s}
                spec: {online: false, rootDeviceHints: {model: disk-0}}
                """.formatted(host),
                "{provisioning: {state: available, ID: '', image: {url: ''}}, poweredOn: false, errorCount: 0,"
                        + " errorMessage: '', hardwareProfile: '', operationalStatus: OK}");
        return new PlannedFinding(
                PlannedFinding.Severity.BLOCKING,
                "host-disk",
                "BareMetalHost",
                namespace,
                host,
                "spec.rootDeviceHints",
                "There is no disk with model=disk-0, only /dev/sda (480 GB) [model %s]".formatted(model),
                "correct spec.rootDeviceHints of BareMetalHost %s/%s".formatted(namespace, host));
    }

    private void install(String name, int number, boolean failed) {
        create(
                """
                apiVersion: extensions.hive.openshift.io/v1beta1
                kind: AgentClusterInstall
                metadata: {name: %1$s}
                spec: {clusterDeploymentRef: {name: %1$s}, networking: {}, provisionRequirements: {controlPlaneAgents: 1}}
                """.formatted(name),
                "{debugInfo: {state: %s}, progress: {totalPercentage: 41}}".formatted(failed ? "error" : "installing"));
        create(
                """
                apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedConfig
                metadata: {name: %s-0}
                spec: {}
                """.formatted(name),
                "conditions: [%s, %s, %s, %s]"
                        .formatted(
                                condition("InfraEnvReady", "True", "InfraEnvReady", "", -1650),
                                condition("AgentRegistered", "True", "AgentRegistered", "", -900),
                                condition("AgentApproved", "True", "AgentApproved", "", -880),
                                failed
                                        ? condition(
                                                "Installed",
                                                "False",
                                                "InstallationFailed",
                                                "Host rack1-017: failed at stage Writing image to disk: the disk"
                                                        + " does not answer. Replace the disk, then retry the"
                                                        + " installation of the control plane",
                                                -60)
                                        : condition(
                                                "Installed",
                                                "False",
                                                "Installing",
                                                "Writing image to disk, 41 %",
                                                -600)));
        create(
                """
                apiVersion: metal3.io/v1alpha1
                kind: BareMetalHost
                metadata: {name: "rack1-%03d"}
                spec: {online: true, consumerRef: {kind: Metal3Machine, name: "%s-0"}}
                """.formatted(number, name),
                "{provisioning: {state: provisioned, ID: '', image: {url: ''}}, poweredOn: true, errorCount: 0,"
                        + " errorMessage: '', hardwareProfile: '', operationalStatus: OK}");
    }

    /** @param seconds from now, when its status last changed */
    String condition(String type, String status, String reason, String message, long seconds) {
        return Serialization.asJson(Map.of(
                "type", type,
                "status", status,
                "reason", reason,
                "message", message,
                "lastTransitionTime", now.plusSeconds(seconds).toString()));
    }

    /** @param status as YAML; empty for none */
    GenericKubernetesResource create(String yaml, String status) {
        GenericKubernetesResource object = Serialization.unmarshal(yaml, GenericKubernetesResource.class);
        object.getMetadata().setNamespace(namespace);
        GenericKubernetesResource made = client.resource(object).create();
        created.add(made);
        if (!status.isEmpty()) {
            made.setAdditionalProperty("status", Serialization.unmarshal("---\n" + status, Map.class));
            client.resource(made).updateStatus();
        }
        return made;
    }

    /** Makes a cluster that was ready fail in a way that its host reports. */
    void breakHost(int number) {
        create(
                """
                apiVersion: metal3.io/v1alpha1
                kind: BareMetalHost
                metadata: {name: "broken-%1$03d"}
                spec: {online: true, consumerRef: {kind: Metal3Machine, name: "shop-%1$03d-0"}}
                """.formatted(number),
                "{provisioning: {state: provisioned, ID: '', image: {url: ''}}, poweredOn: false, errorCount: 1,"
                        + " errorMessage: power supply lost, hardwareProfile: '', operationalStatus: error}");
    }

    @Override
    public void close() {
        page.close();
        created.parallelStream().forEach(object -> {
            var unused = client.resource(object).delete();
        });
        client.namespaces().withName(namespace).delete();
    }
}
