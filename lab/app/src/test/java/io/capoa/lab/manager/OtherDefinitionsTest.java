package io.capoa.lab.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.controlplane.ControlPlaneProvider;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.PreparedClusters;
import io.capoa.lab.cluster.ProjectRoot;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Both managers with the CustomResourceDefinitions of the Go provider. */
@Tag("full")
@Isolated("two API servers at once are too much for a small machine")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OtherDefinitionsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private LocalCluster cluster;
    private KubernetesClient admin;

    @TempDir
    Path folder = Path.of("");

    @BeforeAll
    void prepare() throws IOException {
        Path theirs = ProjectRoot.find().resolve("../shared/crds/capoa");
        assumeTrue(
                Files.isDirectory(theirs), "the Go provider's CustomResourceDefinitions are not beside the checkout");
        cluster = PreparedClusters.start();
        admin = cluster.admin();
        for (CustomResourceDefinition own : ours()) {
            admin.resource(own).delete();
            await().atMost(PATIENCE).until(() -> admin.resource(own).get() == null);
        }
        try (var files = Files.list(theirs)) {
            for (Path file : files.toList()) {
                CustomResourceDefinition definition = read(file);
                // Without their conversion webhook, which is not needed here.
                definition.getSpec().setConversion(null);
                var unused = admin.resource(definition).create();
            }
        }
    }

    @AfterAll
    void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void bothManagersSayWhatIsThere_andOurDefinitionsMayReplaceIt() throws IOException {
        try (var bootstrap = start(BootstrapProvider.class, KnownUsers.BOOTSTRAP_PROVIDER);
                var controlPlane = start(ControlPlaneProvider.class, KnownUsers.CONTROL_PLANE_PROVIDER)) {
            assertSaid(bootstrap, "openshiftassistedconfigs.bootstrap.cluster.x-k8s.io", "v1alpha1, v1alpha2");
            assertSaid(
                    controlPlane, "openshiftassistedcontrolplanes.controlplane.cluster.x-k8s.io", "v1alpha2, v1alpha3");
        }
        for (CustomResourceDefinition own : ours()) {
            CustomResourceDefinition applied =
                    admin.resource(own).forceConflicts().serverSideApply();
            assertThat(applied.getSpec().getConversion().getStrategy())
                    .isEqualTo(applied.getSpec().getVersions().size() > 1 ? "Webhook" : "None");
        }
    }

    private static void assertSaid(ManagerChild manager, String definition, String served) throws IOException {
        await().atMost(PATIENCE)
                .until(() -> manager.probe("/readyz").body().contains("kinds: CustomResourceDefinition " + definition));
        assertThat(manager.probe("/readyz").status()).isEqualTo(503);
        assertThat(manager.probe("/readyz").body())
                .contains(
                        "does not serve v1beta1",
                        "it serves " + served,
                        "status.storedVersions are ",
                        "docs/install.md");
        await().atMost(PATIENCE).until(() -> manager.log().contains("Nothing can be reconciled: "));
    }

    private ManagerChild start(Class<?> main, String user) throws IOException {
        return ManagerChild.startProvider(main, folder, cluster.kubeconfigOf(user), "--webhook-port=0");
    }

    private List<CustomResourceDefinition> ours() throws IOException {
        try (var files = Files.list(ProjectRoot.find().resolve("crds"))) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .map(this::read)
                    .toList();
        }
    }

    private CustomResourceDefinition read(Path file) {
        try (InputStream content = Files.newInputStream(file)) {
            return admin.getKubernetesSerialization().unmarshal(content, CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
