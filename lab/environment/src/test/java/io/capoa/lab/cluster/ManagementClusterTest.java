package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("management cluster of one test")
class ManagementClusterTest {

    private static final LocalCluster CLUSTER = LocalCluster.builder().start();

    @AfterAll
    static void stop() {
        CLUSTER.close();
    }

    @Test
    void whenPrepared_everyKindIsServedAndPeersMayUseIt() {
        new ManagementCluster(CLUSTER, ProjectRoot.find(), Optional.empty()).prepare();

        assertThat(contractLabels("metal3machinetemplates.infrastructure.cluster.x-k8s.io"))
                .containsEntry("cluster.x-k8s.io/v1beta2", "v1beta2");
        AuditLog log = CLUSTER.auditLog().orElseThrow();
        AuditLog.Mark prepared = log.mark();
        try (KubernetesClient metal3 = CLUSTER.clientOf(KnownUsers.METAL3);
                var watch = metal3.genericKubernetesResources("metal3.io/v1alpha1", "BareMetalHost")
                        .inAnyNamespace()
                        .inform()) {
            assertThat(watch.hasSynced()).isTrue();
        }
        assertThat(log.since(prepared))
                .filteredOn(entry -> entry.user().equals(CLUSTER.userName(KnownUsers.METAL3)))
                .extracting(AuditEntry::code)
                .isNotEmpty()
                .doesNotContain(429, 403, 404);
    }

    @Test
    void whenThePublishersCrdsAreGiven_theirVersionsCarryTheContractLabels() {
        Path published = ProjectRoot.find().resolveSibling("shared").resolve("crds");
        assumeTrue(Files.isDirectory(published), "needs the publishers' CRDs in ../shared/crds");

        new ManagementCluster(CLUSTER, ProjectRoot.find(), Optional.of(published)).prepare();

        assertThat(contractLabels("metal3machines.infrastructure.cluster.x-k8s.io"))
                .containsEntry("cluster.x-k8s.io/v1beta1", "v1beta1")
                .containsEntry("cluster.x-k8s.io/v1beta2", "v1beta2");
        assertThat(contractLabels("machinehealthchecks.cluster.x-k8s.io"))
                .containsEntry("cluster.x-k8s.io/v1beta2", "v1beta2");
    }

    @Test
    void whenTheFolderOfCrdsDoesNotExist_saysSo() {
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(
                        () -> new ManagementCluster(CLUSTER, ProjectRoot.find(), Optional.of(Path.of("absent-crds")))
                                .prepare())
                .withMessageContaining("absent-crds");
    }

    private static Map<String, String> contractLabels(String definition) {
        return CLUSTER.admin()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(definition)
                .get()
                .getMetadata()
                .getLabels();
    }
}
