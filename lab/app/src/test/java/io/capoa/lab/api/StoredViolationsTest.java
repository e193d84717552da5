package io.capoa.lab.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Stored objects that violate a rule of our CRD, as objects of older versions can: other fields may change, and no other
 * rule be violated. The CRD is a copy of ours in a group of this test, at first without rules.
 */
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoredViolationsTest {

    private static final String GROUP = "stored-violations.example.com";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final KubernetesClient client;
    private final String namespace;

    StoredViolationsTest(TestCluster cluster) {
        client = cluster.admin();
        namespace = client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("stored-violations-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
    }

    @BeforeAll
    void store() throws Exception {
        CustomResourceDefinition withoutRules = definition();
        strip(withoutRules.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema());
        var created = client.resource(withoutRules).create();
        for (Stored stored : Stored.values()) {
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> client.resource(stored.object())
                                    .inNamespace(namespace)
                                    .create()
                            != null);
        }
        CustomResourceDefinition ours = definition();
        ours.getMetadata().setResourceVersion(null);
        var updated = client.resource(ours).forceConflicts().serverSideApply();
        assertThat(updated.getMetadata().getUid())
                .isEqualTo(created.getMetadata().getUid());
        GenericKubernetesResource wrong = Stored.ONE_KIND_OF_ADDRESSES.object();
        wrong.getMetadata().setName("wrong");
        await().atMost(PATIENCE).until(() -> {
            try {
                var unused =
                        client.resource(wrong).inNamespace(namespace).dryRun().create();
                return false;
            } catch (KubernetesClientException e) {
                return String.valueOf(e.getMessage()).contains("go together");
            }
        });
    }

    @AfterAll
    void remove() throws Exception {
        var unused = client.resource(definition()).delete();
        unused = client.namespaces().withName(namespace).delete();
    }

    /** Configs, each of which violates one rule. */
    private enum Stored {
        ONE_KIND_OF_ADDRESSES("apiVIPs: [192.168.111.5]"),
        ADDRESSES_WITHOUT_A_PLATFORM("platform: {type: None}, apiVIPs: [192.168.111.5], ingressVIPs: [192.168.111.4]"),
        A_PLATFORM_WITHOUT_ADDRESSES("platform: {type: VSphere}"),
        NUTANIX_WITHOUT_ADDRESSES("platform: {type: Nutanix}"),
        OWN_NETWORKS_WITH_ADDRESSES(
                "networking: {userManagedNetworking: true}, apiVIPs: [192.168.111.5], ingressVIPs: [192.168.111.4]");

        private final String config;

        Stored(String config) {
            this.config = config;
        }

        String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        GenericKubernetesResource object() {
            GenericKubernetesResource object = ApiSamples.controlPlane(id());
            object.setApiVersion(GROUP + "/v1beta1");
            return ApiSamples.with(
                    object,
                    "config",
                    new KubernetesSerialization()
                            .asJson(new KubernetesSerialization()
                                    .unmarshal("---\n{baseDomain: example.com, " + config + "}", Object.class)));
        }
    }

    @ParameterizedTest
    @EnumSource(Stored.class)
    void anotherFieldOfTheConfig_mayChange(Stored stored) {
        assertThatCode(() -> patch(stored.id(), "{\"ntpSources\":[\"ntp.example.com\"],\"holdInstallation\":true}"))
                .doesNotThrowAnyException();
    }

    @Test
    void anotherRule_holds() {
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> patch(
                        Stored.ONE_KIND_OF_ADDRESSES.id(), "{\"platform\":{\"type\":\"None\"},\"ntpSources\":[\"a\"]}"))
                .withMessageContaining("config.apiVIPs and config.ingressVIPs are for platforms BareMetal");
    }

    @Test
    void whatIsMended_isNotBrokenAgain() {
        String name = "mended";
        GenericKubernetesResource right = Stored.ONE_KIND_OF_ADDRESSES.object();
        right.getMetadata().setName(name);
        var unused = client.resource(ApiSamples.with(right, "config.ingressVIPs", "[\"192.168.111.4\"]"))
                .inNamespace(namespace)
                .create();

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> patch(name, "{\"ingressVIPs\":null}"))
                .withMessageContaining("config.apiVIPs and config.ingressVIPs go together");
    }

    private void patch(String name, String config) {
        var unused = client.genericKubernetesResources(GROUP + "/v1beta1", "OpenshiftAssistedControlPlane")
                .inNamespace(namespace)
                .withName(name)
                .patch(MERGE, "{\"spec\":{\"config\":" + config + "}}");
    }

    private static CustomResourceDefinition definition() throws Exception {
        var definition = new KubernetesSerialization()
                .unmarshal(
                        Files.readString(ProjectRoot.find()
                                .resolve("crds/controlplane.cluster.x-k8s.io_openshiftassistedcontrolplanes.yaml")),
                        CustomResourceDefinition.class);
        definition.getMetadata().setName("openshiftassistedcontrolplanes." + GROUP);
        definition.getSpec().setGroup(GROUP);
        definition.getSpec().setConversion(null);
        definition
                .getSpec()
                .getVersions()
                .removeIf(version -> !version.getName().equals("v1beta1"));
        return definition;
    }

    private static void strip(JSONSchemaProps schema) {
        schema.setXKubernetesValidations(List.of());
        if (schema.getProperties() != null) {
            schema.getProperties().values().forEach(StoredViolationsTest::strip);
        }
    }
}
