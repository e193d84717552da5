package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Manifests in the versions of the Go provider, as its examples have them, reach Ready unchanged. */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class FieldManifestsTest {

    @Test
    void aMultiNodeClusterOfV1alpha3_withItsNodeNamesAndLabels(WholeLab lab) {
        String namespace = lab.namespace(5);
        lab.apply(namespace, sample -> {
            String text = with(sample, "OpenshiftAssistedControlPlane", """
                apiVersion: controlplane.cluster.x-k8s.io/v1alpha3
                kind: OpenshiftAssistedControlPlane
                metadata:
                  name: multinode
                  annotations: {}
                spec:
                  openshiftAssistedConfigSpec:
                    sshAuthorizedKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPeXxGfYiivq4D6y83VQVs6i/sl4yVMTp0DbnMAp3K2R me
                    pullSecretRef: {name: pull-secret}
                    nodeRegistration:
                      name: $METADATA_NAME
                      kubeletExtraLabels: ["metal3.io/uuid=$METADATA_UUID"]
                  distributionVersion: 4.20.3
                  config:
                    apiVIPs: [192.0.2.10]
                    ingressVIPs: [192.0.2.11]
                    baseDomain: lab.example
                    pullSecretRef: {name: pull-secret}
                  machineTemplate:
                    infrastructureRef:
                      apiGroup: infrastructure.cluster.x-k8s.io
                      kind: Metal3MachineTemplate
                      name: multinode-controlplane
                  replicas: 3
                """);
            return with(text, "OpenshiftAssistedConfigTemplate", """
                apiVersion: bootstrap.cluster.x-k8s.io/v1alpha2
                kind: OpenshiftAssistedConfigTemplate
                metadata:
                  name: multinode-worker
                  labels: {cluster.x-k8s.io/cluster-name: multinode}
                spec:
                  template:
                    spec:
                      nodeRegistration:
                        name: $METADATA_NAME
                        kubeletExtraLabels: ["metal3.io/uuid=$METADATA_UUID"]
                      pullSecretRef: {name: pull-secret}
                """);
        });

        lab.awaitReady(namespace);
        assertThat(uuids(lab, namespace)).hasSize(5).doesNotHaveDuplicates().allMatch(uuid -> uuid.length() == 36);
        GenericKubernetesResource shown = read(lab, namespace, "v1alpha3");
        assertThat(Fields.string(shown, "spec", "machineTemplate", "infrastructureRef", "name"))
                .isEqualTo("multinode-controlplane");
    }

    @Test
    void aSingleNodeOfOkdOfV1alpha2_withQuotedVariables(WholeLab lab) {
        String namespace = lab.namespace(1);
        lab.apply(namespace, sample -> with(WholeLab.withoutWorkers(sample), "OpenshiftAssistedControlPlane", """
            apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
            kind: OpenshiftAssistedControlPlane
            metadata:
              name: multinode
              annotations: {}
            spec:
              openshiftAssistedConfigSpec:
                nodeRegistration:
                  kubeletExtraLabels: ['metal3.io/uuid="${METADATA_UUID}"']
              distributionVersion: 4.20.0-okd-scos.1
              config:
                baseDomain: lab.example
              machineTemplate:
                nodeDrainTimeout: 1m30s
                infrastructureRef:
                  apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
                  kind: Metal3MachineTemplate
                  name: multinode-controlplane
              replicas: 1
            """));

        lab.awaitReady(namespace);
        assertThat(uuids(lab, namespace)).singleElement().asString().hasSize(36);
        GenericKubernetesResource shown = read(lab, namespace, "v1alpha2");
        assertThat(Fields.isTrue(shown, "status", "ready")).isTrue();
        assertThat(Fields.string(shown, "spec", "machineTemplate", "nodeDrainTimeout"))
                .isEqualTo("1m30s");
    }

    /** Replaces the sample's object of a kind. */
    private static String with(String sample, String kind, String document) {
        List<String> documents =
                Pattern.compile("(?m)^---$").splitAsStream(sample).toList();
        assertThat(documents).filteredOn(one -> isOf(one, kind)).hasSize(1);
        return String.join(
                "---",
                documents.stream()
                        .map(one -> isOf(one, kind) ? "\n" + document : one)
                        .toList());
    }

    private static boolean isOf(String document, String kind) {
        return document.lines().anyMatch(("kind: " + kind)::equals);
    }

    private static GenericKubernetesResource read(WholeLab lab, String namespace, String version) {
        return lab.admin()
                .genericKubernetesResources("controlplane.cluster.x-k8s.io/" + version, "OpenshiftAssistedControlPlane")
                .inNamespace(namespace)
                .withName("multinode")
                .require();
    }

    private static List<String> uuids(WholeLab lab, String namespace) {
        try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
            return workload.nodes().list().getItems().stream()
                    .map(Node::getMetadata)
                    .map(metadata -> String.valueOf(metadata.getLabels().get("metal3.io/uuid")))
                    .toList();
        }
    }
}
