package io.capoa.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lint.manifest.Finding;
import io.capoa.lint.manifest.ManifestFile;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The findings for whole sets of manifests, good and broken ones. */
class ManifestLintTest {

    private static final String BROKEN = """
            absent-cloud-conf | BLOCKING | spec.template.spec.volumes[2] | no manifest creates ConfigMap cloud-conf in the same namespace
            absent-namespace | BLOCKING | metadata.namespace | no manifest creates namespace lab-ccm
            absent-namespace | WARNING | metadata.namespace | it is not in namespace openshift-cloud-controller-manager
            absent-service-account | BLOCKING | spec.template.spec.serviceAccountName | no manifest creates ServiceAccount aws-ccm in the same namespace
            api-server-file-not-mounted | WARNING | spec.template.spec.volumes | /etc/kubernetes/apiserver-url.env is sourced but not mounted
            api-server-through-its-service | WARNING | spec.template.spec.containers[0].command | the API server is reached through its Service
            bootstrap-pod | BLOCKING | kind | it is a Pod, as for the bootstrap node
            cloud-config-not-mounted | WARNING | spec.template.spec.containers[0].volumeMounts | nothing is mounted for --cloud-config /etc/aws/cloud.conf
            cloud-config-of-the-host | WARNING | spec.template.spec.containers[0].volumeMounts | --cloud-config is not from ConfigMap cloud-conf
            cloud-routes | WARNING | spec.template.spec.containers[0].command | routes in the cloud are configured
            control-plane-not-tolerated | BLOCKING | spec.template.spec.tolerations | the taint node-role.kubernetes.io/master is not tolerated
            default-service-account | WARNING | spec.template.spec.serviceAccountName | the pods have no ServiceAccount of their own
            indentation | BLOCKING | line 47 | is not YAML (expected <block end>, but found '<block mapping start>')
            leader-election-off | BLOCKING | spec.template.spec.containers[0] | leader election is off with several replicas
            limits | WARNING | spec.template.spec.containers[0].resources.limits | resources are limited
            literal-credentials | WARNING | spec.template.spec.containers[0].env | the value of AWS_SECRET_ACCESS_KEY is written in the manifest
            no-anti-affinity | WARNING | spec.template.spec.affinity.podAntiAffinity | replicas may run on the same node
            no-cloud-controller-manager | BLOCKING | kind Deployment | no cloud controller manager is among them
            no-image | BLOCKING | spec.template.spec.containers[0].image | there is no image
            no-kind | BLOCKING | document 4 | has no apiVersion or kind
            no-node-selector | WARNING | spec.template.spec.nodeSelector | control plane nodes are not selected
            no-priority | WARNING | spec.template.spec.priorityClassName | the pods have no critical priority
            no-replicas | BLOCKING | spec.replicas | it has no replicas
            no-requests | WARNING | spec.template.spec.containers[0].resources.requests | cpu or memory is not requested
            no-termination-message | WARNING | spec.template.spec.containers[0].terminationMessagePolicy | a crash leaves no message in the pod's status
            node-manager-on-control-planes-alone | WARNING | spec.template.spec.nodeSelector | the cloud node manager runs on control plane nodes alone
            node-manager-tolerates-nothing | BLOCKING | spec.template.spec.tolerations | the taint node.cloudprovider.kubernetes.io/uninitialized is not tolerated
            node-manager-tolerates-nothing | WARNING | spec.template.spec.tolerations | the taint node-role.kubernetes.io/master is not tolerated
            node-manager-tolerates-nothing | WARNING | spec.template.spec.tolerations | the taint node.kubernetes.io/not-ready is not tolerated
            not-an-object | BLOCKING | document 4 | is not an object
            not-ready-not-tolerated | WARNING | spec.template.spec.tolerations | the taint node.kubernetes.io/not-ready is not tolerated
            old-api-version | BLOCKING | apiVersion | extensions/v1beta1 is not served
            one-replica | WARNING | spec.replicas | it has one replica
            other-container-name | WARNING | spec.template.spec.containers | no container has the name cloud-controller-manager
            placeholder-in-the-image | BLOCKING | spec.template.spec.containers[0] | the placeholder of a template is left
            pod-network | WARNING | spec.template.spec.hostNetwork | the pods are in the pod network
            pod-networks | WARNING | spec.template.spec.containers[0].command | pod networks are allocated to Nodes
            port-of-both | WARNING | spec.template.spec.containers | port 10258 is that of Deployment openshift-cloud-controller-manager/azure-cloud-controller-manager as well
            port-of-the-kubelet | BLOCKING | spec.template.spec.containers | port 10250 belongs to the kubelet
            role-with-a-value | BLOCKING | spec.template.spec.nodeSelector | the label node-role.kubernetes.io/master is selected with a value
            secret-without-a-request | WARNING | spec.template.spec.containers[0].env | no manifest provides Secret aws-cloud-credentials in the same namespace
            selector-of-other-pods | BLOCKING | spec.selector.matchLabels | it does not match the labels of the pod template
            stateful-set | WARNING | kind | it is neither a Deployment nor a DaemonSet
            template | BLOCKING | line 78 | is not YAML (Non scalar key is detected but it is not configured to be allowed.)
            uninitialized-not-tolerated | BLOCKING | spec.template.spec.tolerations | the taint node.cloudprovider.kubernetes.io/uninitialized is not tolerated
            uninitialized-tolerated-with-another-value | BLOCKING | spec.template.spec.tolerations | the taint node.cloudprovider.kubernetes.io/uninitialized is not tolerated
            unreachable-not-tolerated | WARNING | spec.template.spec.tolerations | the taint node.kubernetes.io/unreachable has no toleration of its own
            unusual-port | WARNING | spec.template.spec.containers | port 18443 is not reserved for cloud controller managers
            """;

    @ParameterizedTest
    @ValueSource(strings = {"aws", "azure", "vsphere", "daemon-set"})
    void goodManifests_haveNoFinding(String name) throws IOException {
        assertThat(lint("good/" + name, false).findings()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("brokenSets")
    void brokenManifests_haveExactlyTheirFindings(String name) throws IOException {
        List<String> expected = BROKEN.lines()
                .filter(line -> line.startsWith(name + " | "))
                .map(line -> line.substring(name.length() + 3))
                .toList();

        assertThat(lint("broken/" + name, false).findings().stream().map(ManifestLintTest::line))
                .containsExactlyElementsOf(expected)
                .isNotEmpty();
    }

    static Stream<String> brokenSets() throws IOException {
        Set<String> names = new TreeSet<>(ManifestSets.names("broken"));
        BROKEN.lines().map(line -> line.substring(0, line.indexOf(" | "))).forEach(names::add);
        return names.stream();
    }

    @Test
    void onASingleNode_oneReplicaIsRight() throws IOException {
        assertThat(lint("good/single-node", true).findings()).isEmpty();
        assertThat(lint("good/aws", true).findings().stream().map(ManifestLintTest::line))
                .containsExactly("WARNING | spec.replicas | it has 2 replicas on a single node");
        String rolling = ManifestSets.read("good/single-node").text().replace("Recreate", "RollingUpdate");
        assertThat(lint(rolling).warnings().stream().map(ManifestLintTest::line))
                .containsExactly("WARNING | spec.strategy.type | pods are replaced one by one on a single node");
    }

    @Test
    void leaderElection_mayBeOffWithOneReplica() throws IOException {
        assertThat(lint(ManifestSets.read("good/single-node")
                                .text()
                                .replace("--leader-elect=true", "--leader-elect=false"))
                        .findings())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing\n---\n"})
    void withoutManifests_theCloudControllerManagerIsMissing(String text) {
        assertThat(ManifestLint.of(List.of(new ManifestFile("a.yaml", text)), false)
                        .blocking())
                .singleElement()
                .extracting(Finding::sentence)
                .isEqualTo("the manifests, kind Deployment: no cloud controller manager is among them, and without one"
                        + " no Node is initialized: add its Deployment with a container of the name"
                        + " cloud-controller-manager");
    }

    @Test
    void manifestsOfSeveralFiles_belongTogether() throws IOException {
        String[] documents = ManifestSets.read("good/aws").text().split("---\n", -1);
        List<ManifestFile> files = Stream.of(documents)
                .map(document -> new ManifestFile("a.yaml", document))
                .toList();

        assertThat(ManifestLint.of(files, false).findings()).isEmpty();
    }

    @Test
    void jsonAndLists_areManifestsToo() {
        String list = "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{\"apiVersion\": \"apps/v1\","
                + " \"kind\": \"Deployment\", \"metadata\": {\"name\": \"lab-ccm\"}}]}";

        assertThat(ManifestLint.of(List.of(new ManifestFile("a.json", list)), false).blocking().stream()
                        .map(ManifestLintTest::line))
                .contains("BLOCKING | spec.template.spec.containers | there are no containers")
                .noneMatch(line -> line.contains("no cloud controller manager"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            image: registry.example.com/hcloud-cloud-controller-manager:v1 | true
            image: registry.example.com:5000/x/lab-ccm@sha256:0 | true
            {image: a, command: [/bin/manager, --cloud-provider=lab]} | true
            {name: cloud-controller-manager, image: a} | true
            image: registry.example.com/cluster-cloud-controller-manager-operator:v1 | false
            image: registry.example.com/lab-csi-driver:v1 | false
            """)
    void aCloudControllerManager_isRecognized(String container, boolean recognized) {
        String text = """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: lab}
                spec: {template: {spec: {containers: [%s]}}}
                """.formatted(container.startsWith("{") ? container : "{" + container + "}");

        assertThat(lint(text).findings().stream().map(Finding::what))
                .satisfies(what -> assertThat(what.contains("no cloud controller manager is among them"))
                        .isNotEqualTo(recognized));
    }

    /** Values of a type that the field does not have. */
    @Test
    void fieldsOfAnotherType_areTakenForAbsent() {
        assertThat(lint("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: lab-ccm, namespace: [x]}
                spec:
                  replicas: many
                  selector: 3
                  template:
                    spec:
                      hostNetwork: "true"
                      nodeSelector: master
                      tolerations: {key: a}
                      affinity: []
                      containers: [a, {name: [b], image: {}, command: x, env: [1], ports: [{containerPort: "80"}]}]
                      volumes: [a, {configMap: {name: 3}}]
                """).blocking()).isNotEmpty();
    }

    private static ManifestLint lint(String set, boolean singleNode) throws IOException {
        return ManifestLint.of(List.of(ManifestSets.read(set)), singleNode);
    }

    private static ManifestLint lint(String text) {
        return ManifestLint.of(List.of(new ManifestFile("a.yaml", text)), true);
    }

    private static String line(Finding finding) {
        return finding.severity() + " | " + finding.path() + " | " + finding.what();
    }
}
