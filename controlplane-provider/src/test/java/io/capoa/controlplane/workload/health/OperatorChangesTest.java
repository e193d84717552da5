package io.capoa.controlplane.workload.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.controlplane.workload.client.WorkloadKinds;
import io.capoa.lab.cluster.OpenKind;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of ClusterOperators on a real API server. */
@ExtendWith(SharedCluster.class)
class OperatorChangesTest {

    private static final OpenKind KIND =
            new OpenKind("config.openshift.io", "v1", "ClusterOperator", "clusteroperators", "Cluster");

    private static KubernetesClient client;

    private OperatorChanges changes;

    @BeforeAll
    static void serveClusterOperators(TestCluster cluster) {
        client = cluster.admin();
        client.resource(KIND.definition()).create();
        await().until(OperatorChangesTest::served);
    }

    @BeforeEach
    void create() {
        create("etcd");
        create("insights");
        changes = new OperatorChanges(client, List.of("etcd", "kube-apiserver"));
    }

    @AfterEach
    void delete() {
        client.genericKubernetesResources(WorkloadKinds.CLUSTER_OPERATOR).delete();
    }

    @AfterAll
    static void serveThemNoMore() {
        client.resource(KIND.definition()).delete();
        await().until(() -> !served());
    }

    @Test
    void withoutAnyWrite_theVersionStays() {
        String version = listed();
        assertThat(changes.untouched(version)).contains(version);
    }

    @Test
    void aWriteOfAnother_isALaterVersionToAskFrom() {
        String version = listed();
        String written = write("insights").getMetadata().getResourceVersion();
        assertThat(changes.untouched(version)).contains(written);
        assertThat(changes.untouched(written)).contains(written);
    }

    @Test
    void aWrite_andADeletion_andACreation_areNotMissed() {
        String version = listed();
        write("insights");
        write("etcd");
        write("insights");
        assertThat(changes.untouched(version)).isEmpty();

        version = listed();
        operator("etcd").delete();
        assertThat(changes.untouched(version)).isEmpty();

        version = listed();
        create("kube-apiserver");
        assertThat(changes.untouched(version)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "", "0", "-1", "null", "7&watch=false", "9999999999999999999"})
    void aVersionThatIsTooOld_orNone_tellsNothing(String version) {
        assertThat(changes.untouched(version)).isEmpty();
    }

    /** The version of the list from the API server's cache, which is what a comparison begins with. */
    private String listed() {
        return client.genericKubernetesResources(WorkloadKinds.CLUSTER_OPERATOR)
                .withField("metadata.name", "etcd")
                .list(new ListOptionsBuilder().withResourceVersion("0").build())
                .getMetadata()
                .getResourceVersion();
    }

    private GenericKubernetesResource write(String name) {
        return operator(name)
                .edit(operator -> new GenericKubernetesResourceBuilder(operator)
                        .editMetadata()
                        .addToAnnotations("written", String.valueOf(System.nanoTime()))
                        .endMetadata()
                        .build());
    }

    private void create(String name) {
        GenericKubernetesResource operator = new GenericKubernetesResourceBuilder()
                .withApiVersion("config.openshift.io/v1")
                .withKind("ClusterOperator")
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
        String version = client.genericKubernetesResources(WorkloadKinds.CLUSTER_OPERATOR)
                .resource(operator)
                .create()
                .getMetadata()
                .getResourceVersion();
        await().until(() -> Long.parseLong(listed()) >= Long.parseLong(version));
    }

    private Resource<GenericKubernetesResource> operator(String name) {
        return client.genericKubernetesResources(WorkloadKinds.CLUSTER_OPERATOR).withName(name);
    }

    private static boolean served() {
        try {
            var unused = client.genericKubernetesResources(WorkloadKinds.CLUSTER_OPERATOR)
                    .list();
            return true;
        } catch (KubernetesClientException e) {
            assertThat(e.getCode()).isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);
            return false;
        }
    }
}
