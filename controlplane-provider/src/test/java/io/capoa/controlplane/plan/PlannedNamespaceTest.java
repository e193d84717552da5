package io.capoa.controlplane.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ManifestFiles;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The plan of what is in a namespace of a management cluster. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
class PlannedNamespaceTest {

    private final TestCluster cluster;
    private final KubernetesClient admin;
    private final String namespace;

    PlannedNamespaceTest(TestCluster cluster) {
        this.cluster = cluster;
        admin = cluster.admin();
        namespace = admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("planned-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
    }

    @AfterEach
    void delete() {
        admin.namespaces().withName(namespace).delete();
    }

    @Test
    void objectsOfTheClusterAreRead_andWhatIsNotThereBlocks() {
        for (String kind : List.of("Cluster", "OpenshiftAssistedControlPlane", "Metal3MachineTemplate")) {
            create(PlanFixture.cluster(), kind);
        }
        create(PlanFixture.uninspectedHosts(), "BareMetalHost");

        String text = plan(1);

        // Among files alone it may be elsewhere.
        assertThat(text)
                .contains("BLOCKING")
                .contains("Secret")
                .contains("pull-secret")
                .contains("Cluster " + namespace + "/prod");

        create(PlanFixture.cluster(), "Secret");

        assertThat(plan(0)).contains("\n0 blocking, ").contains("host-0", "host-6");
    }

    private void create(String yaml, String kind) {
        for (GenericKubernetesResource object : ManifestFiles.parse(yaml, "fixture")) {
            if (object.getKind().equals(kind)) {
                Object status = object.getAdditionalProperties().get("status");
                GenericKubernetesResource created =
                        admin.resource(object).inNamespace(namespace).create();
                if (status != null) {
                    created.setAdditionalProperty("status", status);
                    var unused = admin.resource(created).updateStatus();
                }
            }
        }
    }

    private String plan(int exitCode) {
        var out = new ByteArrayOutputStream();
        var print = new PrintStream(out, true, StandardCharsets.UTF_8);
        int code = new PlanCommand(InputStream.nullInputStream(), print, print)
                .execute(List.of("--kubeconfig", cluster.adminKubeconfig().toString(), "-n", namespace));
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isEqualTo(exitCode);
        return text;
    }
}
