package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.api.contract.OlderMetal3Machine;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.PreparedClusters;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** CAPM3 before the v1beta2 contract: its CRDs serve only v1beta1, with that contract label. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(BootstrapProcess.FIRST_LANE)
class OlderMetal3Test {

    private static final String ISO = "http://images/iso-1?api_key=SECRET";

    @Test
    void aMetal3MachineOfVersionV1beta1_isReadAndGetsItsIso() {
        try (var cluster = PreparedClusters.start()) {
            replaceByOlder(cluster);
            try (var scene = new ConfigScene(cluster, "older");
                    var process = BootstrapProcess.start(cluster, "--watch-filter=older")) {
                scene.ready();
                String uid = scene.create(Machine.class, ConfigSamples.machine("m1", ""))
                        .getMetadata()
                        .getUid();
                scene.create(
                        OlderMetal3Machine.class,
                        older(ConfigSamples.metal3Machine("m1", uid, ConfigSamples.LIVE_ISO)));
                scene.config("m1-config", "", ConfigSamples.machineOwner("m1", uid), "{}");
                scene.awaitInfraEnv("m1");
                scene.awaitCondition("m1", "InfraEnvReady", "False/WaitingForLiveISOURL");

                scene.status(InfraEnv.class, "m1", Map.of("isoDownloadURL", ISO));

                scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
                assertThat(Fields.string(scene.require(OlderMetal3Machine.class, "m1"), "spec", "image", "url"))
                        .isEqualTo(ISO);
                assertThat(process.figures()).isNotNull();
            }
        }
    }

    /** An update, because a removal waits for clean-up by the API server; versions that objects were stored in have to stay. */
    private static void replaceByOlder(LocalCluster cluster) {
        var crds = cluster.admin()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("metal3machines.infrastructure.cluster.x-k8s.io");
        CustomResourceDefinition current = crds.require();
        List<CustomResourceDefinitionVersion> versions = new ArrayList<>();
        current.getSpec().getVersions().stream()
                .filter(version -> !version.getName().equals("v1beta1"))
                .forEach(version -> {
                    version.setServed(false);
                    version.setStorage(false);
                    versions.add(version);
                });
        versions.add(older(current.getSpec().getVersions()));
        var updated = crds.edit(crd -> new CustomResourceDefinitionBuilder(crd)
                .editMetadata()
                .withLabels(Map.of("cluster.x-k8s.io/v1beta1", "v1beta1"))
                .endMetadata()
                .editSpec()
                .withVersions(versions)
                .endSpec()
                .build());
        assertThat(updated.getSpec().getVersions())
                .filteredOn(CustomResourceDefinitionVersion::getServed)
                .extracting(CustomResourceDefinitionVersion::getName)
                .containsExactly("v1beta1");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> cluster.admin().supports(OlderMetal3Machine.class)
                        && !cluster.admin().supports(Metal3Machine.class));
    }

    /** The publisher's version if it exists, else the only one with the older name. */
    private static CustomResourceDefinitionVersion older(List<CustomResourceDefinitionVersion> versions) {
        CustomResourceDefinitionVersion version = versions.stream()
                .filter(v -> v.getName().equals("v1beta1"))
                .findFirst()
                .orElseGet(() -> Serialization.unmarshal(
                        older(Serialization.asYaml(versions.getFirst())), CustomResourceDefinitionVersion.class));
        version.setServed(true);
        version.setStorage(true);
        return version;
    }

    /** The versions differ here only in the name of one field. */
    private static String older(String yaml) {
        return yaml.replace("infrastructure.cluster.x-k8s.io/v1beta2", "infrastructure.cluster.x-k8s.io/v1beta1")
                .replace("name: \"v1beta2\"", "name: \"v1beta1\"")
                .replace("name: v1beta2", "name: v1beta1")
                .replace("diskFormat", "format");
    }
}
