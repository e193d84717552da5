package io.capoa.lab.pods;

import static io.capoa.lab.pods.LocalNodeTest.awaitAvailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A webhook of a Service reaches the process by TLS, with a certificate from cert-manager. */
@Tag("full")
@ExtendWith(SharedNode.Resolver.class)
@Execution(ExecutionMode.CONCURRENT)
class WebhookTest {

    @Test
    void aWebhookOfAService_isAskedAtTheProcess_andFailsWhileThereIsNone(SharedNode node) {
        String namespace = node.namespace();
        node.apply(namespace, MANIFESTS.replace("NAMESPACE", namespace));
        awaitAvailable(node, namespace, "servant", 1);

        await().atMost(SharedNode.SOON)
                .untilAsserted(() -> assertThatExceptionOfType(KubernetesClientException.class)
                        .isThrownBy(() -> create(node, namespace, "refused"))
                        .withMessageContaining("the servant refuses it"));
        create(node, namespace, "welcome");
        assertThat(node.admin()
                        .admissionRegistration()
                        .v1()
                        .validatingWebhookConfigurations()
                        .withName(namespace)
                        .require()
                        .getWebhooks()
                        .getFirst()
                        .getClientConfig())
                .as("what was applied stays as it was")
                .satisfies(config -> {
                    assertThat(config.getService().getName()).isEqualTo("servant");
                    assertThat(config.getUrl()).isNull();
                    assertThat(config.getCaBundle()).isNotBlank();
                });

        node.admin()
                .apps()
                .deployments()
                .inNamespace(namespace)
                .withName("servant")
                .scale(0);
        await().atMost(SharedNode.SOON)
                .untilAsserted(() -> assertThatExceptionOfType(KubernetesClientException.class)
                        .isThrownBy(() -> create(node, namespace, "too-early"))
                        .withMessageContaining("no endpoints available for service \"servant\""));

        node.admin()
                .apps()
                .deployments()
                .inNamespace(namespace)
                .withName("servant")
                .scale(1);
        await().atMost(SharedNode.SOON).ignoreExceptions().until(() -> {
            create(node, namespace, "in-time");
            return true;
        });

        node.apply(namespace, MANIFESTS.replace("NAMESPACE", namespace));
        create(node, namespace, "after-another-apply");
    }

    private static void create(SharedNode node, String namespace, String name) {
        var unused = node.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    private static final String MANIFESTS = """
            apiVersion: cert-manager.io/v1
            kind: Issuer
            metadata: {name: own}
            spec: {selfSigned: {}}
            ---
            apiVersion: cert-manager.io/v1
            kind: Certificate
            metadata: {name: serving}
            spec:
              secretName: serving
              dnsNames: [servant.NAMESPACE.svc]
              privateKey: {encoding: PKCS8}
              issuerRef: {kind: Issuer, name: own}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: servant}
            spec:
              selector: {app: servant}
              ports: [{port: 443, targetPort: webhook}]
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingWebhookConfiguration
            metadata:
              name: NAMESPACE
              annotations: {cert-manager.io/inject-ca-from: NAMESPACE/serving}
            webhooks:
            - name: config.maps.example.org
              clientConfig:
                service: {name: servant, namespace: NAMESPACE, path: /review}
              rules:
              - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
              namespaceSelector:
                matchLabels: {kubernetes.io/metadata.name: NAMESPACE}
              admissionReviewVersions: [v1]
              sideEffects: None
              failurePolicy: Fail
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: servant}
            spec:
              selector:
                matchLabels: {app: servant}
              template:
                metadata:
                  labels: {app: servant}
                spec:
                  automountServiceAccountToken: false
                  containers:
                  - name: main
                    image: test/servant
                    args: ["--address=:8081", "--certificates=/tmp/serving-certs"]
                    ports:
                    - {name: webhook, containerPort: 9443}
                    readinessProbe:
                      httpGet: {path: /healthy, port: 8081}
                    volumeMounts:
                    - {name: certificates, mountPath: /tmp/serving-certs}
                  volumes:
                  - name: certificates
                    secret: {secretName: serving}
            """;
}
