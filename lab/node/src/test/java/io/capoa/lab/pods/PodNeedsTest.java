package io.capoa.lab.pods;

import static io.capoa.lab.pods.LocalNodeTest.awaitAvailable;
import static io.capoa.lab.pods.LocalNodeTest.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Prerequisites of a pod: volumes, variables, ServiceAccount, probes. */
@Tag("full")
@ExtendWith(SharedNode.Resolver.class)
@Execution(ExecutionMode.CONCURRENT)
class PodNeedsTest {

    @Test
    void aMissingSecret_keepsThePodWaiting_withTheReason_untilItIsThere(SharedNode node) {
        String namespace = node.namespace();
        node.apply(namespace, servant("""
                      volumes:
                      - name: files
                        secret: {secretName: needed}
                """));

        await().atMost(SharedNode.SOON).untilAsserted(() -> {
            var waiting = only(node.pod(namespace)).getState().getWaiting();
            assertThat(waiting.getReason()).isEqualTo("ContainerCreating");
            assertThat(waiting.getMessage()).contains("secret \"needed\" not found");
        });
        assertThat(node.running(namespace)).isEmpty();

        secret(node, namespace, "needed", Map.of("key", "one"));

        awaitAvailable(node, namespace, "servant", 1);
        assertThat(node.ask(namespace, "/file/key")).containsExactly("one");
    }

    @Test
    void anOptionalSecret_isNotWaitedFor_appearsAndFollows_inTheRunningProcess(SharedNode node) {
        String namespace = node.namespace();
        node.apply(namespace, servant("""
                      volumes:
                      - name: files
                        secret: {secretName: later, optional: true}
                """));
        awaitAvailable(node, namespace, "servant", 1);
        long pid = node.running(namespace).getFirst().pid();
        assertThat(node.ask(namespace, "/file/key")).containsExactly("none");

        secret(node, namespace, "later", Map.of("key", "one"));
        await().atMost(SharedNode.SOON)
                .untilAsserted(
                        () -> assertThat(node.ask(namespace, "/file/key")).containsExactly("one"));
        secret(node, namespace, "later", Map.of("key", "two"));
        await().atMost(SharedNode.SOON)
                .untilAsserted(
                        () -> assertThat(node.ask(namespace, "/file/key")).containsExactly("two"));

        assertThat(node.running(namespace).getFirst().pid()).isEqualTo(pid);
    }

    @Test
    void variables_comeFromFields_secrets_configMaps_andOthers(SharedNode node) {
        String namespace = node.namespace();
        secret(node, namespace, "words", Map.of("word", "hidden"));
        node.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("words")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withData(Map.of("word", "open"))
                        .build())
                .create();
        node.apply(namespace, servant("""
                      volumes:
                      - name: files
                        projected:
                          sources:
                          - configMap: {name: words, items: [{key: word, path: from-map}]}
                          - secret: {name: words, items: [{key: word, path: from-secret}]}
                """).replace("env:", """
                env:
                        - name: POD_NAMESPACE
                          valueFrom: {fieldRef: {fieldPath: metadata.namespace}}
                        - name: POD_UID
                          valueFrom: {fieldRef: {fieldPath: metadata.uid}}
                        - name: HIDDEN
                          valueFrom: {secretKeyRef: {name: words, key: word}}
                        - name: OPEN
                          valueFrom: {configMapKeyRef: {name: words, key: word}}
                        - name: ABSENT
                          valueFrom: {configMapKeyRef: {name: words, key: other, optional: true}}
                        - name: BOTH
                          value: $(HIDDEN) and $(OPEN), $$(OPEN) $(UNKNOWN)
                        - name: PATH_OF_FILES
                          value: /files/from-map
                """));
        awaitAvailable(node, namespace, "servant", 1);

        assertThat(node.ask(namespace, "/variable/POD_NAMESPACE")).containsExactly(namespace);
        assertThat(node.ask(namespace, "/variable/POD_UID"))
                .containsExactly(node.pod(namespace).getMetadata().getUid());
        assertThat(node.ask(namespace, "/variable/HOSTNAME"))
                .containsExactly(node.pod(namespace).getMetadata().getName());
        assertThat(node.ask(namespace, "/variable/BOTH")).containsExactly("hidden and open, $(OPEN) $(UNKNOWN)");
        assertThat(node.ask(namespace, "/variable/ABSENT")).containsExactly("null");
        assertThat(node.ask(namespace, "/variable/JAVA_HOME"))
                .as("nothing of this JVM's environment")
                .containsExactly("null");
        assertThat(node.ask(namespace, "/variable/PATH_OF_FILES").getFirst()).endsWith("/volumes/files/from-map");
        assertThat(node.ask(namespace, "/file/from-map")).containsExactly("open");
        assertThat(node.ask(namespace, "/file/from-secret")).containsExactly("hidden");
    }

    @Test
    void theProcess_isItsServiceAccount_andWaitsForIt(SharedNode node) {
        String namespace = node.namespace();
        node.apply(namespace, """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: reader}
                rules:
                - {apiGroups: [""], resources: [secrets], verbs: [list]}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: reader}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
                subjects:
                - {kind: ServiceAccount, name: acting, namespace: %s}
                """.formatted(namespace));
        node.apply(
                namespace,
                servant("      serviceAccountName: acting\n")
                        .replace("automountServiceAccountToken: false", "automountServiceAccountToken: true"));
        await().atMost(SharedNode.SOON)
                .untilAsserted(() -> assertThat(only(node.pod(namespace))
                                .getState()
                                .getWaiting()
                                .getMessage())
                        .contains("serviceaccount \"acting\" not found"));

        node.admin()
                .resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName("acting")
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .create();
        awaitAvailable(node, namespace, "servant", 1);

        // The first request loads the process's Kubernetes client, which is slow on a busy machine.
        await().atMost(SharedNode.SOON)
                .untilAsserted(() ->
                        assertThat(node.ask(namespace, "/secrets/" + namespace)).containsExactly("200"));
        assertThat(node.ask(namespace, "/secrets/kube-system").getFirst())
                .startsWith("403")
                .contains("system:serviceaccount:%s:acting".formatted(namespace));
    }

    @Test
    void aLivenessProbeThatFails_hasTheProcessStartedAgain(SharedNode node) {
        String namespace = node.namespace();
        node.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("health")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withData(Map.of("alive", "yes"))
                        .build())
                .create();
        node.apply(namespace, servant("""
                      volumes:
                      - name: files
                        configMap: {name: health}
                """).replace("readinessProbe:", """
                startupProbe:
                          httpGet: {path: /file/alive, port: web}
                          periodSeconds: 1
                          failureThreshold: 60
                        livenessProbe:
                          httpGet: {path: /file/alive, port: web}
                          periodSeconds: 1
                          failureThreshold: 2
                        readinessProbe:
                """.stripTrailing()));
        awaitAvailable(node, namespace, "servant", 1);
        long pid = node.running(namespace).getFirst().pid();

        node.admin()
                .configMaps()
                .inNamespace(namespace)
                .withName("health")
                .edit(map -> new ConfigMapBuilder(map).withData(Map.of()).build());

        await().atMost(SharedNode.SOON)
                .untilAsserted(() ->
                        assertThat(only(node.pod(namespace)).getRestartCount()).isPositive());
        LocalNodeTest.awaitEnd(pid);
        LocalNodeTest.awaitEvent(node, namespace, "Liveness probe failed", "404");
    }

    @Test
    void aPodThatIsNotReady_isNotAvailable(SharedNode node) {
        String namespace = node.namespace();
        node.apply(namespace, servant("""
                      volumes:
                      - name: files
                        configMap: {name: health, optional: true}
                """).replace("/healthy", "/file/ready"));
        await().atMost(SharedNode.SOON)
                .untilAsserted(
                        () -> assertThat(only(node.pod(namespace)).getStarted()).isTrue());
        assertThat(only(node.pod(namespace)).getReady()).isFalse();

        node.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("health")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withData(Map.of("ready", "yes"))
                        .build())
                .create();

        awaitAvailable(node, namespace, "servant", 1);
    }

    /** A servant on its default port, with additional fields of the pod's specification. */
    private static String servant(String more) {
        return """
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: servant
                spec:
                  selector:
                    matchLabels: {app: servant}
                  template:
                    metadata:
                      labels: {app: servant}
                    spec:
                      automountServiceAccountToken: false
                      terminationGracePeriodSeconds: 2
                      containers:
                      - name: main
                        image: test/servant
                        args: ["--address=:8081", "--files=/files"]
                        env:
                        ports:
                        - {name: web, containerPort: 8081}
                        readinessProbe:
                          httpGet: {path: /healthy, port: web}
                        volumeMounts:
                """ + (more.contains("volumes:") ? "        - {name: files, mountPath: /files}\n" : "") + more;
    }

    private static void secret(SharedNode node, String namespace, String name, Map<String, String> data) {
        node.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withStringData(data)
                        .build())
                .fieldManager("kubectl")
                .forceConflicts()
                .serverSideApply();
    }
}
