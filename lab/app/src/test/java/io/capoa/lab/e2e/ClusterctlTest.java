package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Output;
import io.capoa.lab.clusterctl.ReleaseBuild;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * clusterctl commands in the order of a user, with a release of this project. As it replaces the managers under the
 * clusters of others, and removes one in the end, it begins when all others of the lab have ended.
 */
@Tag("e2e")
@NeedsGo
@Order(OnRealLab.ORDER + 1)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(RealLab.MANAGERS)
@ExtendWith(RealLab.Shared.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterctlTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String NEXT = "v0.3.0";

    @Test
    @Order(1)
    void init_installsCoreAndBothProviders_andReturnsWhenTheyRun(RealLab lab) {
        assertThat(lab.init().all())
                .contains("Skipping installing cert-manager as it is already installed")
                .contains("Installing provider=\"cluster-api\" version=\"v1.14.2\" targetNamespace=\"capi-system\"")
                .contains("Installing provider=\"bootstrap-openshift-assisted\" version=\"v0.2.0\""
                        + " targetNamespace=\"capoa-bootstrap-system\"")
                .contains("Installing provider=\"control-plane-openshift-assisted\" version=\"v0.2.0\""
                        + " targetNamespace=\"capoa-controlplane-system\"")
                .contains("Your management cluster has been initialized successfully!");
        assertThat(lab.node().running())
                .extracting("namespace")
                .containsExactlyInAnyOrder("capi-system", "capoa-bootstrap-system", "capoa-controlplane-system");
    }

    @Test
    @Order(2)
    void generateProvider_printsComponentsWithoutAVariable(RealLab lab) {
        assertThat(lab.clusterctl()
                        .run("generate", "provider", "--bootstrap=openshift-assisted")
                        .orThrow()
                        .text())
                .contains("name: capoa-bootstrap-controller-manager", "kind: Namespace")
                .doesNotContain("${");
        assertThat(lab.clusterctl()
                        .run("generate", "provider", "--control-plane=openshift-assisted")
                        .orThrow()
                        .text())
                .contains("name: capoa-controlplane-controller-manager", "kind: Namespace")
                .doesNotContain("${");
    }

    @Test
    @Order(3)
    void aGeneratedCluster_becomesAvailable_andDescribeShowsItWhole(RealLab lab) {
        String namespace = lab.namespace(5);
        lab.applySample(namespace, ClusterctlTest::secretAlone);
        lab.apply(namespace, Generated.cluster(lab, "cluster-template.yaml", "shop", namespace));

        lab.awaitAvailable(namespace, "shop", 5);

        String text = lab.describe(namespace, "shop");
        assertThat(text)
                .containsPattern("Cluster %s/shop +5/5 +5 +5 +5 +True +Available".formatted(namespace))
                .containsPattern(
                        "OpenshiftAssistedControlPlane %s/shop +3/3 +3 +3 +3 +True +Available".formatted(namespace))
                .containsPattern("MachineDeployment .*2/2 +2 +2 +2 +True +Available")
                .doesNotContain("False", "Unknown");
        Described.keep("healthy", text);
    }

    @Test
    @Order(4)
    void describe_saysWhatAnInstallationWaitsFor(RealLab lab) {
        String namespace = lab.namespace(2);
        lab.applySample(namespace, text -> text.replace("replicas: 2", "replicas: 0"));

        String text = lab.awaitDescribed(
                namespace,
                "multinode",
                described -> assertThat(described)
                        .containsPattern("OpenshiftAssistedControlPlane .*2 of 3 hosts have reported")
                        .contains("Metal3Machine multinode-", "no available host found"));
        Described.keep("installing", text);
    }

    @Test
    @Order(5)
    void describe_saysWhyAnInstallationFailed_andWhatToDo(RealLab lab) {
        String namespace = lab.namespace(3);
        lab.admin()
                .genericKubernetesResources("metal3.io/v1alpha1", "BareMetalHost")
                .inNamespace(namespace)
                .list()
                .getItems()
                .forEach(host -> lab.admin().resource(host).patch(MERGE, """
                    {"metadata":{"annotations":{"lab.capoa.io/fail":"Writing image to disk"}}}\
                    """));
        lab.applySample(namespace, text -> text.replace("replicas: 2", "replicas: 0"));

        String text = lab.awaitDescribed(
                namespace,
                "multinode",
                described -> assertThat(described)
                        .containsPattern("OpenshiftAssistedControlPlane .*False +InstallFailed")
                        .contains("Host host-", "Writing image to disk", "retry-install="));
        Described.keep("failed", text);
    }

    @Test
    @Order(6)
    void upgrade_isPlannedAndApplied_withoutTouchingAMachineOrASecret(RealLab lab) {
        String namespace = lab.namespace(3);
        lab.applySample(namespace, text -> text.replace("replicas: 2", "replicas: 0"));
        lab.awaitAvailable(namespace, "multinode", 3);
        State before = State.of(lab.admin(), namespace);
        Path releases = lab.clusterctl().repository().providers();
        var unused = ReleaseBuild.manifests(ProjectRoot.find(), Binaries.ofThisProcess(), NEXT, releases);

        Output plan = lab.clusterctl().run("upgrade", "plan").orThrow();
        assertThat(plan.text())
                .containsPattern(
                        "bootstrap-openshift-assisted +capoa-bootstrap-system +BootstrapProvider +v0.2.0 +v0.3.0")
                .containsPattern(
                        "control-plane-openshift-assisted +capoa-controlplane-system +ControlPlaneProvider +v0.2.0"
                                + " +v0.3.0");

        Output applied = lab.clusterctl()
                .run("upgrade", "apply", "--contract=v1beta2", "--wait-providers")
                .orThrow();

        assertThat(applied.all()).contains("version=\"v0.3.0\"");
        assertThat(lab.clusterctl().run("upgrade", "plan").orThrow().text()).contains("Already up to date");
        lab.awaitAvailable(namespace, "multinode", 3);
        assertThat(State.of(lab.admin(), namespace)).isEqualTo(before);
    }

    /** Both are provider openshift-assisted, with the same names of objects; theirs is of series 0.1. */
    @Test
    @Order(7)
    void anInstallationOfTheGoProvider_isUpgradedToThisOne(RealLab lab) {
        for (String provider : List.of("bootstrap-openshift-assisted", "control-plane-openshift-assisted")) {
            String namespace =
                    provider.startsWith("bootstrap") ? "capoa-bootstrap-system" : "capoa-controlplane-system";
            var unused = lab.admin()
                    .genericKubernetesResources("clusterctl.cluster.x-k8s.io/v1alpha3", "Provider")
                    .inNamespace(namespace)
                    .withName(provider)
                    .patch(MERGE, "{\"version\":\"v0.1.7\"}");
        }

        assertThat(lab.clusterctl().run("upgrade", "plan").orThrow().text())
                .containsPattern("bootstrap-openshift-assisted .*v0.1.7 +" + NEXT)
                .containsPattern("control-plane-openshift-assisted .*v0.1.7 +" + NEXT);
        assertThat(lab.clusterctl()
                        .run("upgrade", "apply", "--contract=v1beta2", "--wait-providers")
                        .orThrow()
                        .all())
                .contains("version=\"" + NEXT + "\"");
    }

    @Test
    @Order(8)
    void delete_removesAProviderAndKeepsItsKinds(RealLab lab) {
        lab.clusterctl().run("delete", "--bootstrap=openshift-assisted").orThrow();

        await().atMost(RealLab.SOON)
                .untilAsserted(() -> assertThat(lab.node().running())
                        .extracting("namespace")
                        .doesNotContain("capoa-bootstrap-system"));
        List<GenericKubernetesResource> providers = lab.admin()
                .genericKubernetesResources("clusterctl.cluster.x-k8s.io/v1alpha3", "Provider")
                .inAnyNamespace()
                .list()
                .getItems();
        assertThat(providers)
                .extracting(provider -> provider.getMetadata().getName())
                .containsExactlyInAnyOrder("cluster-api", "control-plane-openshift-assisted");
        assertThat(lab.admin()
                        .apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName("openshiftassistedconfigs.bootstrap.cluster.x-k8s.io")
                        .get())
                .isNotNull();

        Output again = lab.clusterctl()
                .run("init", "--bootstrap=openshift-assisted", "--wait-providers")
                .orThrow();
        assertThat(again.all()).contains("Installing provider=\"bootstrap-openshift-assisted\"");
    }

    /** The sample's first object, the pull secret for the templates. */
    static String secretAlone(String sample) {
        return sample.substring(0, sample.indexOf("\n---", sample.indexOf("kind: Secret")));
    }
}
