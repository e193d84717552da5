package io.capoa.lab.e2e;

import static org.awaitility.Awaitility.await;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.LabStack;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The control plane of the sample with several nodes, on simulated hosts. */
final class SampleCluster {

    private static final String NAMESPACE = "demo";

    private SampleCluster() {}

    /** Returns when it is Ready. */
    static void install(TestCluster cluster, LabStack stack, Path root) throws IOException {
        KubernetesClient admin = cluster.admin();
        var unused = admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        stack.peers().rack(NAMESPACE, 3);
        String sample =
                Files.readString(root.resolve("config/samples/multinode.yaml")).replace("replicas: 2", "replicas: 0");
        admin.load(new ByteArrayInputStream(sample.getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(object -> admin.resource(object)
                        .inNamespace(NAMESPACE)
                        .fieldManager("kubectl")
                        .serverSideApply());
        await().atMost(Duration.ofMinutes(2)).until(() -> isReady(admin));
    }

    private static boolean isReady(KubernetesClient admin) {
        return admin.resources(OpenshiftAssistedControlPlane.class).inNamespace(NAMESPACE).list().getItems().stream()
                .map(OpenshiftAssistedControlPlane::getStatus)
                .anyMatch(status -> status != null
                        && status.conditions() != null
                        && status.conditions().stream()
                                .anyMatch(condition -> condition.type().equals("Ready")
                                        && condition.status().equals("True")));
    }
}
