package io.capoa.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lint.manifest.ManifestFile;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Good manifests with one change that real cloud controller managers have: the findings are exactly the expected ones. */
class VariantsTest {

    private static final String IMAGE =
            "image: registry.example.com/openshift/aws-cloud-controller-manager@sha256:0123456789abcdef";
    private static final String CLOUD_CONFIG = "--cloud-config=/etc/aws/cloud.conf";
    private static final String VOLUMES = "      volumes:\n";
    private static final String CONTAINERS = "      containers:\n";
    private static final String TOLERATION = """
                    - key: node.cloudprovider.kubernetes.io/uninitialized
                      operator: Exists
                      effect: NoSchedule
            """;
    private static final String OWN_NAMESPACE = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: ccm-trusted-ca, namespace: lab-ccm}
            ---
            """;
    private static final String NO_CONSTRAINTS =
            "BLOCKING | metadata.namespace | no security context constraints of namespace lab-ccm let the pods use the host";
    private static final String OTHER_NAMESPACE =
            "WARNING | metadata.namespace | it is not in namespace openshift-cloud-controller-manager";

    @ParameterizedTest
    @ValueSource(strings = {"${CCM_IMAGE}", "$CCM_IMAGE", "registry.example.com/ccm:${VERSION}", "\"{{ .image }}\""})
    void aPlaceholderInTheImage_blocks(String image) throws IOException {
        assertThat(aws(IMAGE, "image: " + image))
                .containsExactly("BLOCKING | spec.template.spec.containers[0] | the placeholder of a template is left");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<your image>", "registry.example.com/CCM:v1", "https://registry.example.com/ccm:v1"})
    void anImageThatCannotBePulled_blocks(String image) throws IOException {
        assertThat(aws(IMAGE, "image: " + image))
                .containsExactly("BLOCKING | spec.template.spec.containers[0].image | it is not the name of an image");
    }

    /** A shell expands them, Kubernetes does not. */
    @Test
    void aPlaceholderInAnArgument_blocksWithoutAShell() throws IOException {
        String cluster = "--cluster-name=${CLUSTER} \\\n                --cloud-provider=aws";

        assertThat(aws("--cloud-provider=aws", cluster)).isEmpty();
        assertThat(aws("--cloud-provider=aws", cluster, "- /bin/bash", "- /bin/launch"))
                .containsExactly("BLOCKING | spec.template.spec.containers[0] | the placeholder of a template is left");
    }

    @Test
    void aNumberInQuotes_isReportedAsOne_andCounted() throws IOException {
        assertThat(aws("replicas: 2", "replicas: \"2\""))
                .containsExactly("BLOCKING | spec.replicas | it is not a number");
    }

    @Test
    void aPausedDeployment_blocks() throws IOException {
        assertThat(aws("replicas: 2", "replicas: 2\n  paused: true"))
                .containsExactly("BLOCKING | spec.paused | the Deployment is paused");
        assertThat(aws("replicas: 2", "replicas: 2\n  paused: false")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labelSelector: {matchLabels: {k8s-app: other}} | false
            labelSelector: {matchLabels: {other: aws-cloud-controller-manager}} | false
            topologyKey: kubernetes.io/hostname | false
            labelSelector: {matchExpressions: [{key: k8s-app, operator: In, values: [other]}]} | false
            labelSelector: {matchExpressions: [{key: k8s-app, operator: DoesNotExist}]} | false
            {namespaces: [kube-system], labelSelector: {}} | false
            labelSelector: {} | true
            labelSelector: {matchLabels: {k8s-app: aws-cloud-controller-manager}} | true
            labelSelector: {matchExpressions: [{key: k8s-app, operator: In, values: [aws-cloud-controller-manager]}]} | true
            labelSelector: {matchExpressions: [{key: k8s-app, operator: NotIn, values: [other]}]} | true
            labelSelector: {matchExpressions: [{key: k8s-app, operator: Exists}]} | true
            {namespaces: [openshift-cloud-controller-manager], labelSelector: {}} | true
            {namespaces: [kube-system], namespaceSelector: {}, labelSelector: {}} | true
            """)
    void antiAffinity_hasToSelectTheOwnPods(String term, boolean apart) throws IOException {
        String text = ManifestSets.read("good/aws").text();
        int start = text.indexOf("            - topologyKey: kubernetes.io/hostname");
        int end = text.indexOf("      tolerations:");
        String inner = term.startsWith("{") ? term.substring(1, term.length() - 1) : term;
        String changed = text.substring(0, start)
                + "            - {" + (inner.startsWith("topologyKey") ? "" : "topologyKey: kubernetes.io/hostname, ")
                + inner + "}\n" + text.substring(end);

        assertThat(lint(changed))
                .isEqualTo(
                        apart
                                ? List.of()
                                : List.of("WARNING | spec.template.spec.affinity.podAntiAffinity | no required term"
                                        + " selects the workload's own pods, so replicas may run on the same node"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GOOGLE_APPLICATION_CREDENTIALS | /etc/cloud-sa/service_account.json | false
            LAB_TOKEN | $(OTHER_TOKEN) | false
            LAB_TOKEN | /9j4AAQSkZJRgABAQ== | true
            LAB_TOKEN | /secret | true
            LAB_TOKEN | abc | true
            """)
    void thePathOfAFile_isNoCredential(String name, String value, boolean literal) throws IOException {
        String env = "          env:\n            - {name: %s, value: \"%s\"}\n".formatted(name, value);

        assertThat(aws("          env:\n", env))
                .isEqualTo(
                        literal
                                ? List.of("WARNING | spec.template.spec.containers[0].env | the value of " + name
                                        + " is written in the manifest")
                                : List.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            $(CLOUD_CONFIG); ``
            ${CLOUD_CONFIG}; ``
            $CLOUD_CONFIG; ``
            "$CLOUD_CONFIG"; ``
            $(AWS_ACCESS_KEY_ID)/cloud.conf; ``
            $(CLOUD_CONFG); BLOCKING | spec.template.spec.containers[0] | variable $(CLOUD_CONFG) of --cloud-config has no value
            ${FOLDER}/cloud.conf; BLOCKING | spec.template.spec.containers[0] | variable ${FOLDER} of --cloud-config has no value
            $(ELSEWHERE); WARNING | spec.template.spec.containers[0].volumeMounts | nothing is mounted for --cloud-config /etc/elsewhere/cloud.conf
            """)
    void aVariableOfCloudConfig_hasToLeadToAFile(String value, String finding) throws IOException {
        assertThat(aws(
                        CLOUD_CONFIG,
                        "--cloud-config=" + value,
                        "          env:\n",
                        "          env:\n            - {name: ELSEWHERE, value: /etc/elsewhere/cloud.conf}\n"))
                .isEqualTo(finding.isEmpty() ? List.of() : List.of(finding));
    }

    @Test
    void aMountWithoutAName_mountsNothing() throws IOException {
        assertThat(aws("- name: cloud-config\n              mountPath: /etc/aws", "- mountPath: /etc/aws"))
                .containsExactly("WARNING | spec.template.spec.containers[0].volumeMounts | nothing is mounted for"
                        + " --cloud-config /etc/aws/cloud.conf");
    }

    /** As far as the manifest tells: a shell may set variables, and a ConfigMap may have them. */
    @Test
    void variablesThatMayBeSet_areNotReported() throws IOException {
        assertThat(aws(CLOUD_CONFIG, "--cloud-config=$FILE", "set -o allexport", "FILE=/etc/aws/cloud.conf"))
                .isEmpty();
        assertThat(aws(
                        CLOUD_CONFIG,
                        "--cloud-config=$(FILE)",
                        "          env:\n",
                        "          envFrom: [{configMapRef: {name: cloud-conf}}]\n          env:\n"))
                .isEmpty();
    }

    @Test
    void withoutAShell_onlyKubernetesExpandsVariables() throws IOException {
        assertThat(aws(CLOUD_CONFIG, "--cloud-config=$CLOUD_CONFIG", "- /bin/bash", "- /bin/launch"))
                .containsExactly(
                        "BLOCKING | spec.template.spec.containers[0] | variable $CLOUD_CONFIG of --cloud-config"
                                + " has no value");
        assertThat(aws(CLOUD_CONFIG, "--cloud-config=$(CLOUD_CONFIG)", "- /bin/bash", "- /bin/launch"))
                .isEmpty();
    }

    /** As OpenShift's own for Azure: the init container adds the credentials. */
    @Test
    void cloudConfig_mayBeWrittenByAnInitContainer() throws IOException {
        String emptyDir = "        - name: cloud-config\n          emptyDir: {}\n";
        String configMap = "        - name: cloud-config\n          configMap:\n            name: cloud-conf\n";
        String init = """
                      initContainers:
                        - name: inject
                          image: registry.example.com/inject:v1
                          volumeMounts: [{name: cloud-config, mountPath: /etc/merged}]
                """;

        assertThat(aws(configMap, emptyDir, CONTAINERS, init + CONTAINERS)).isEmpty();
        // OpenShift's own is written so; Kubernetes takes a volume without a source for an emptyDir.
        assertThat(aws(configMap, emptyDir.replace("emptyDir: {}", "emptydir:"), CONTAINERS, init + CONTAINERS))
                .isEmpty();
        String readOnly = init.replace("{name: cloud-config,", "{name: cloud-config, readOnly: true,");
        for (String other : List.of(CONTAINERS, readOnly + CONTAINERS)) {
            assertThat(aws(configMap, emptyDir, CONTAINERS, other))
                    .containsExactly("WARNING | spec.template.spec.containers[0].volumeMounts | --cloud-config is not"
                            + " from ConfigMap cloud-conf");
        }
    }

    @Test
    void objectsOfInitContainers_projectedVolumesAndPullSecrets_haveToExist() throws IOException {
        String init = """
                      initContainers:
                        - name: inject
                          image: ${IMAGE}
                          envFrom: [{configMapRef: {name: absent-map}}, {secretRef: {name: absent-secret}}]
                """;
        String projected = """
                        - name: all
                          projected:
                            sources:
                              - secret: {name: absent-projected}
                              - configMap: {name: absent-projected-map}
                              - secret: {name: unneeded, optional: true}
                              - secret: {name: aws-cloud-credentials}
                """;

        assertThat(aws(
                        CONTAINERS,
                        "      imagePullSecrets: [{name: absent-pull}]\n" + init + CONTAINERS,
                        VOLUMES,
                        VOLUMES + projected))
                .containsExactly(
                        "BLOCKING | spec.template.spec.volumes[0] | no manifest creates ConfigMap absent-projected-map in"
                                + " the same namespace",
                        "BLOCKING | spec.template.spec.initContainers[0].envFrom | no manifest creates ConfigMap"
                                + " absent-map in the same namespace",
                        "BLOCKING | spec.template.spec.initContainers[0] | the placeholder of a template is left",
                        "WARNING | spec.template.spec.volumes[0] | no manifest provides Secret absent-projected in the"
                                + " same namespace",
                        "WARNING | spec.template.spec.initContainers[0].envFrom | no manifest provides Secret"
                                + " absent-secret in the same namespace",
                        "WARNING | spec.template.spec.imagePullSecrets | no manifest provides Secret absent-pull in the"
                                + " same namespace");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*,-cloud-node-controller", "*,-cloud-node", "-cloud-node,*", "'*,-cloud-node'", "service"})
    void withoutNodeController_aNodeManagerIsNeeded(String controllers) throws IOException {
        String flag = "--controllers=" + controllers + " \\\n                --cloud-provider=";

        assertThat(aws("--cloud-provider=", flag))
                .containsExactly("BLOCKING | spec.template.spec.containers[0] | --controllers switches off"
                        + " cloud-node-controller, and no manifest has a cloud node manager");
        assertThat(azure("--cloud-provider=", flag)).isEmpty();
        assertThat(azure("--cloud-provider=", flag, TOLERATION, "")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "*,-service", "cloud-node,service", "*,-cloud-node-lifecycle"})
    void withNodeController_theTaintHasToBeTolerated(String controllers) throws IOException {
        String flag = "--controllers=" + controllers + " \\\n                --cloud-provider=";

        assertThat(aws("--cloud-provider=", flag)).isEmpty();
        assertThat(azure("--cloud-provider=", flag, TOLERATION, ""))
                .containsExactly("BLOCKING | spec.template.spec.tolerations | the taint"
                        + " node.cloudprovider.kubernetes.io/uninitialized is not tolerated");
    }

    @Test
    void aRouteControllerThatIsOff_configuresNoRoutes() throws IOException {
        assertThat(aws("--configure-cloud-routes=false", "--controllers=*,-route"))
                .isEmpty();
        assertThat(aws("--configure-cloud-routes=false", "--controllers=*"))
                .containsExactly(
                        "WARNING | spec.template.spec.containers[0].command | routes in the cloud are configured");
    }

    /** Their nodes have neither the control plane's taint nor paths of Linux, and initialize no control plane. */
    @Test
    void aWindowsNodeManager_isNoLinuxWorkload() throws IOException {
        String windows = """
                ---
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: azure-cloud-node-manager-windows, namespace: openshift-cloud-controller-manager}
                spec:
                  selector: {matchLabels: {k8s-app: windows}}
                  template:
                    metadata: {labels: {k8s-app: windows}}
                    spec:
                      serviceAccountName: cloud-node-manager
                      nodeSelector: {kubernetes.io/os: windows}
                      tolerations: [{key: node.cloudprovider.kubernetes.io/uninitialized, operator: Exists}]
                      containers:
                        - name: cloud-node-manager
                          image: registry.example.com/azure-cloud-node-manager:v1
                          terminationMessagePolicy: FallbackToLogsOnError
                          command: [cloud-node-manager.exe, --node-name=$(NODE_NAME)]
                          ports: [{containerPort: 10263}]
                          resources: {requests: {cpu: 50m, memory: 50Mi}}
                """;

        assertThat(lint(ManifestSets.read("good/azure").text() + windows)).isEmpty();
        assertThat(lint(ManifestSets.read("good/azure").text() + windows.replace("operator: Exists", "value: x")))
                .containsExactly("BLOCKING | spec.template.spec.tolerations | the taint"
                        + " node.cloudprovider.kubernetes.io/uninitialized is not tolerated");
        String alone = ManifestSets.read("good/aws")
                .text()
                .replace("--cloud-provider=", "--controllers=*,-cloud-node \\\n                --cloud-provider=");
        assertThat(lint(alone + windows)).anyMatch(line -> line.contains("no manifest has a cloud node manager"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            '' | false
            {kind: ClusterRole, name: system:openshift:scc:restricted-v2} | false
            {kind: ClusterRole, name: system:openshift:scc:hostnetwork-v2} | false
            {kind: ClusterRole, name: system:openshift:scc:hostmount-anyuid} | false
            {kind: ClusterRole, name: system:openshift:scc:hostaccess} | true
            {kind: ClusterRole, name: system:openshift:scc:privileged} | true
            {kind: ClusterRole, name: cluster-admin} | true
            {kind: Role, name: own} | true
            {kind: Role, name: weak} | false
            {kind: ClusterRole, name: own} | false
            """)
    void aNamespaceOfTheUser_needsSecurityContextConstraints(String role, boolean granted) throws IOException {
        String roles = """
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: own, namespace: lab-ccm}
                rules: [{apiGroups: [security.openshift.io], resources: [securitycontextconstraints], verbs: [use]}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: weak, namespace: lab-ccm}
                rules: [{apiGroups: [security.openshift.io], resources: [securitycontextconstraints], verbs: [get]}]
                """;
        String binding = """
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: constraints, namespace: lab-ccm}
                roleRef: %s
                subjects: [{kind: ServiceAccount, name: cloud-controller-manager}]
                """.formatted(role);

        assertThat(lint(ownNamespace() + roles + (role.isEmpty() ? "" : binding)))
                .isEqualTo(granted ? List.of(OTHER_NAMESPACE) : List.of(NO_CONSTRAINTS, OTHER_NAMESPACE));
        assertThat(lint(ownNamespace() + roles + binding.replace("subjects: [{", "subjects: [{namespace: other, ")))
                .containsExactly(NO_CONSTRAINTS, OTHER_NAMESPACE);
    }

    @Test
    void theBundleOfOpenshift_isInItsOwnNamespaceAlone() throws IOException {
        assertThat(lint(ownNamespace().substring(OWN_NAMESPACE.length())))
                .containsExactly(
                        NO_CONSTRAINTS,
                        "BLOCKING | spec.template.spec.volumes[1] | no manifest creates ConfigMap ccm-trusted-ca in the"
                                + " same namespace",
                        OTHER_NAMESPACE);
    }

    @Test
    void constraintsOfTheUser_orARunLevel_permitTheHostToo() throws IOException {
        String constraints = """
                ---
                apiVersion: security.openshift.io/v1
                kind: SecurityContextConstraints
                metadata: {name: lab-ccm}
                users: ["system:serviceaccount:lab-ccm:cloud-controller-manager"]
                """;

        assertThat(lint(ownNamespace() + constraints)).containsExactly(OTHER_NAMESPACE);
        assertThat(lint(ownNamespace()
                        .replace("  name: lab-ccm\n", "  name: lab-ccm\n  labels: {openshift.io/run-level: \"0\"}\n")))
                .containsExactly(OTHER_NAMESPACE);
    }

    /** The square of 20,000 would take a processor for minutes, and their findings the memory. */
    @Test
    @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
    void fiveThousandWorkloads_areTooMany_andTakeNoTime() {
        String workload = """
                ---
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: lab-ccm, namespace: lab-ccm}, spec: {}}
                """;
        List<ManifestFile> files = Collections.nCopies(10, new ManifestFile("a.yaml", workload.repeat(500)));

        ManifestLint lint = ManifestLint.of(files, false);

        assertThat(lint.findings()).hasSizeLessThan(2_000);
        assertThat(lint.findings().getFirst().what())
                .isEqualTo("more than 100 workloads are cloud controller managers or node managers");
    }

    private static String ownNamespace() throws IOException {
        return OWN_NAMESPACE
                + ManifestSets.read("good/aws").text().replace("openshift-cloud-controller-manager\n", "lab-ccm\n");
    }

    private static List<String> aws(String... changes) throws IOException {
        return lint(changed("good/aws", changes));
    }

    private static List<String> azure(String... changes) throws IOException {
        return lint(changed("good/azure", changes));
    }

    private static String changed(String set, String... changes) throws IOException {
        String text = ManifestSets.read(set).text();
        for (int i = 0; i < changes.length; i += 2) {
            assertThat(text).contains(changes[i]);
            text = text.replace(changes[i], changes[i + 1]);
        }
        return text;
    }

    private static List<String> lint(String text) {
        return ManifestLint.of(List.of(new ManifestFile("a.yaml", text)), false).findings().stream()
                .map(finding -> finding.severity() + " | " + finding.path() + " | " + finding.what())
                .toList();
    }
}
