package io.capoa.lab.controlplane;

import static io.capoa.lab.controlplane.Scene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LimitedUser;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A missing right is reported as a condition of the control plane with verb, resource and remedy. */
@ExtendWith(SharedCluster.class)
class MissingRightsTest {

    private static final String OTHER_GROUP = "infrastructure.example.com";

    private LimitedUser user;
    private TestCluster cluster;

    @BeforeEach
    void prepare(TestCluster cluster) {
        this.cluster = cluster;
        user = new LimitedUser(cluster, "capoa-controlplane-manager-role");
    }

    @AfterEach
    void close() {
        user.close();
    }

    @Test
    void infrastructureOfAnotherGroup_isReportedAtEachStep_andUsedOnceAllowed() {
        install("XMachineTemplate", "xmachinetemplates");
        install("XMachine", "xmachines");
        try (Scene scene = Scene.as(cluster, KnownUsers.LIMITED)) {
            Neighbours neighbours = scene.neighbours;
            neighbours.apply("""
                    apiVersion: %s/v1
                    kind: XMachineTemplate
                    metadata: {name: x}
                    spec: {template: {spec: {size: 3}}}
                    """.formatted(OTHER_GROUP));
            neighbours.controlPlane("""
                    spec:
                      replicas: 1
                      config: {apiVIPs: [], ingressVIPs: []}
                      machineTemplate:
                        spec: {infrastructureRef: {apiGroup: %s, kind: XMachineTemplate, name: x}}
                    """.formatted(OTHER_GROUP));
            within(() -> scene.message("MachinesCreated")
                    .contains("grant verb get on resource xmachinetemplates of API group \"" + OTHER_GROUP));
            assertThat(scene.reason("MachinesCreated")).isEqualTo("InfrastructureTemplateCloningFailed");
            assertThat(scene.message("Ready")).contains("xmachinetemplates", neighbours.namespace);
            assertThat(neighbours.deployment()).as("the rest goes on").isNotNull();

            rights("get");
            within(() -> scene.message("MachinesCreated").contains("grant verb create on resource xmachines"));

            rights("get", "create");
            within(() -> !neighbours.machines().isEmpty());
            within(() -> scene.message("Ready").contains("cannot list resource \"xmachines\""));
            assertThat(scene.reason("Ready")).isEqualTo("Forbidden");
            assertThat(scene.message("Ready")).contains("grant verb list on resource xmachines");

            rights("get", "create", "list", "watch");
            within(() -> scene.is("MachinesCreated", "True")
                    && !scene.reason("Ready").equals("Forbidden"));
        }
    }

    @Test
    void machinesThatMayNotBeDeleted_areSaidWhileTheControlPlaneIsBeingDeleted() {
        try (Scene scene = Scene.as(cluster, KnownUsers.LIMITED)) {
            Neighbours neighbours = scene.neighbours;
            neighbours.controlPlane();
            scene.untilHostsAreAwaited();
            user.mayNot("delete", "cluster.x-k8s.io", "machines");

            neighbours.client.resource(neighbours.current()).delete();
            within(() -> scene.reason("Deleting").equals("Forbidden"));
            assertThat(scene.message("Deleting"))
                    .contains("grant verb delete on resource machines", "cluster.x-k8s.io", neighbours.namespace);
            assertThat(scene.reason("Ready")).isEqualTo("Forbidden");

            user.mayAll();
            within(() -> gone(neighbours));
        }
    }

    @Test
    void machinesThatMayNotBeListed_areSaid() {
        user.mayNot("list", "cluster.x-k8s.io", "machines");
        try (Scene scene = Scene.as(cluster, KnownUsers.LIMITED)) {
            scene.neighbours.controlPlane();
            within(() -> scene.reason("Ready").equals("Forbidden"));
            assertThat(scene.message("Ready"))
                    .contains(
                            "may not list resource machines", "grant verbs list and watch", scene.neighbours.namespace);

            user.mayAll();
            scene.untilHostsAreAwaited();
        }
    }

    private void rights(String... verbs) {
        user.mayAlso(OTHER_GROUP, List.of("xmachines", "xmachinetemplates"), verbs);
    }

    private static boolean gone(Neighbours neighbours) {
        return neighbours
                        .client
                        .resources(OpenshiftAssistedControlPlane.class)
                        .inNamespace(neighbours.namespace)
                        .withName(neighbours.name)
                        .get()
                == null;
    }

    private void install(String kind, String plural) {
        cluster.admin()
                .resource(new CustomResourceDefinitionBuilder()
                        .withNewMetadata()
                        .withName(plural + "." + OTHER_GROUP)
                        .addToLabels("cluster.x-k8s.io/v1beta2", "v1")
                        .endMetadata()
                        .withNewSpec()
                        .withGroup(OTHER_GROUP)
                        .withScope("Namespaced")
                        .withNewNames()
                        .withKind(kind)
                        .withPlural(plural)
                        .withSingular(plural.substring(0, plural.length() - 1))
                        .endNames()
                        .addNewVersion()
                        .withName("v1")
                        .withServed(true)
                        .withStorage(true)
                        .withNewSchema()
                        .withOpenAPIV3Schema(new JSONSchemaPropsBuilder()
                                .withType("object")
                                .withXKubernetesPreserveUnknownFields(true)
                                .build())
                        .endSchema()
                        .endVersion()
                        .endSpec()
                        .build())
                .serverSideApply();
        within(() -> cluster.admin().supports(OTHER_GROUP + "/v1", kind));
    }
}
