package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.certificates.SelfSigned;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** assisted-service has a TLS certificate of a private CA, which is in a Secret or ConfigMap. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(BootstrapProcess.SECOND_LANE)
class PrivateCaTest {

    private static final String KEY = "service-ca.crt";

    /** Location of the certificates. */
    enum Bundle {
        SECRET(Secret.class) {
            @Override
            HasMetadata of(String pem) {
                return new SecretBuilder()
                        .withNewMetadata()
                        .withName("ca")
                        .endMetadata()
                        .addToStringData(KEY, pem)
                        .build();
            }
        },
        CONFIGMAP(ConfigMap.class) {
            @Override
            HasMetadata of(String pem) {
                return new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("ca")
                        .endMetadata()
                        .addToData(KEY, pem)
                        .build();
            }
        };

        private final Class<? extends HasMetadata> kind;

        Bundle(Class<? extends HasMetadata> kind) {
            this.kind = kind;
        }

        abstract HasMetadata of(String pem);
    }

    @ParameterizedTest
    @EnumSource
    void itsServersAreTrusted_fromTheMomentItIsThere_alsoWhenItChanges(Bundle bundle, TestCluster cluster)
            throws Exception {
        SelfSigned first = SelfSigned.create("first");
        SelfSigned second = SelfSigned.create("second");
        try (ConfigScene scene =
                        new ConfigScene(cluster, "private-ca-" + bundle.name().toLowerCase(java.util.Locale.ROOT));
                IgnitionServer before = new IgnitionServer(first.serverContext());
                IgnitionServer after = new IgnitionServer(second.serverContext());
                BootstrapProcess provider = start(scene, bundle)) {
            scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
            scene.publishBootMedia("m1", before);
            scene.awaitCondition("m1", "DataSecretAvailable", "False/IgnitionDownloadFailed");
            assertThat(scene.message("m1", "Ready"))
                    .contains("cannot be reached", scene.namespace + "/ca", "does not exist")
                    .doesNotContain("SECRET");

            put(scene, bundle.of("no certificate"));
            ConfigScene.soon("what is wrong with it")
                    .until(() ->
                            scene.message("m1", "Ready").contains("has no certificates in PEM under its key " + KEY));

            put(scene, bundle.of(first.pem()));
            scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");

            put(scene, bundle.of(second.pem()));
            scene.machine("m2", "{}").awaitInfraEnv("m2");
            scene.publishBootMedia("m2", after);
            scene.awaitCondition("m2", "DataSecretAvailable", "True/DataSecretAvailable");

            scene.delete(bundle.kind, "ca");
            scene.machine("m3", "{}").awaitInfraEnv("m3");
            scene.publishBootMedia("m3", before);
            scene.awaitCondition("m3", "DataSecretAvailable", "False/IgnitionDownloadFailed");
            assertThat(scene.message("m3", "Ready")).contains("is gone");
            assertThat(provider.figures().cpuSeconds()).isPositive();
        }
    }

    @Test
    void whereNoPlaceIsNamed_theUsualOneIsLookedFor(TestCluster cluster) throws Exception {
        SelfSigned authority = SelfSigned.create("usual");
        try (ConfigScene scene = new ConfigScene(cluster, "usual-ca");
                IgnitionServer server = new IgnitionServer(authority.serverContext());
                BootstrapProcess provider = BootstrapProcess.start(
                        cluster, "--namespace=" + scene.namespace, "--watch-filter=" + scene.watchFilter())) {
            scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
            scene.publishBootMedia("m1", server);
            scene.awaitCondition("m1", "DataSecretAvailable", "False/IgnitionDownloadFailed");
            ConfigScene.soon("where the CA may be")
                    .until(() ->
                            scene.message("m1", "Ready").contains("Secret assisted-installer/assisted-installer-ca"));

            usual(cluster, authority.pem());

            scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");

            scene.machine("m2", "{discoveryIgnition: Reference}").awaitInfraEnv("m2");
            scene.publishBootMedia("m2", server);
            scene.awaitCondition("m2", "DataSecretAvailable", "True/DataSecretAvailable");
            assertThat(data(scene, "m2")).contains("certificateAuthorities");
            assertThat(provider.figures().cpuSeconds()).isPositive();
        } finally {
            var unused = cluster.admin()
                    .secrets()
                    .inNamespace("assisted-installer")
                    .withName("assisted-installer-ca")
                    .delete();
        }
    }

    @Test
    void aHostThatFetchesItsIgnition_getsTheCertificates_alsoWhenTheyChange(TestCluster cluster) throws Exception {
        SelfSigned first = SelfSigned.create("first");
        SelfSigned second = SelfSigned.create("second");
        try (ConfigScene scene = new ConfigScene(cluster, "private-ca-reference");
                IgnitionServer server = new IgnitionServer(first.serverContext());
                BootstrapProcess provider = start(scene, Bundle.SECRET)) {
            scene.ready().machine("m1", "{discoveryIgnition: Reference}").awaitInfraEnv("m1");
            scene.publishBootMedia("m1", server);
            scene.awaitCondition("m1", "DataSecretAvailable", "False/WaitingForCACertificates");
            assertThat(scene.message("m1", "Ready")).contains(scene.namespace + "/ca", "does not exist");

            put(scene, Bundle.SECRET.of(first.pem()));
            scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
            String made = data(scene, "m1");
            assertThat(made)
                    .contains(
                            "\"merge\":[{\"source\":\"" + server.url() + "/m1?api_key=SECRET\"}]",
                            "certificateAuthorities");

            put(scene, Bundle.SECRET.of(first.pem() + second.pem()));
            ConfigScene.soon("data with both certificates")
                    .until(() -> !data(scene, "m1").equals(made));

            String both = data(scene, "m1");
            scene.publishBootMedia("m1", server, "RENEWED");
            ConfigScene.soon("data with the new address")
                    .until(() -> data(scene, "m1").equals(both.replace("SECRET", "RENEWED")));
            assertThat(provider.figures().cpuSeconds()).isPositive();
        }
    }

    private static String data(ConfigScene scene, String machine) {
        String value = Objects.requireNonNull(scene.secret(machine + "-config"))
                .getData()
                .get("value");
        return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
    }

    private static void usual(TestCluster cluster, String pem) {
        var unused = cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("assisted-installer")
                        .endMetadata()
                        .build())
                .serverSideApply();
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace("assisted-installer")
                .withName("assisted-installer-ca")
                .endMetadata()
                .addToStringData("ca.crt", pem)
                .build();
        var made = cluster.admin().resource(secret).serverSideApply();
        assertThat(made.getMetadata().getName()).isEqualTo("assisted-installer-ca");
    }

    private static BootstrapProcess start(ConfigScene scene, Bundle bundle) {
        return BootstrapProcess.start(
                scene.cluster,
                Map.of(
                        "ASSISTED_CA_BUNDLE_RESOURCE",
                        bundle.name().toLowerCase(java.util.Locale.ROOT),
                        "ASSISTED_CA_BUNDLE_NAMESPACE",
                        scene.namespace,
                        "ASSISTED_CA_BUNDLE_NAME",
                        "ca",
                        "ASSISTED_CA_BUNDLE_KEY",
                        KEY),
                "--namespace=" + scene.namespace,
                "--watch-filter=" + scene.watchFilter());
    }

    private static void put(ConfigScene scene, HasMetadata bundle) {
        bundle.getMetadata().setNamespace(scene.namespace);
        var unused = scene.cluster
                .admin()
                .resource(bundle)
                .fieldManager("kubectl")
                .forceConflicts()
                .serverSideApply();
    }
}
