package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.Peer;
import io.capoa.lab.Peers;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.ClusterctlInstallation;
import io.capoa.lab.clusterctl.LocalRepository;
import io.capoa.lab.clusterctl.Output;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.image.Images;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.registry.ReleaseRegistry;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The pages of two releases, and what a user has who has nothing else of this project: the commands of
 * {@code docs/install.md}.
 */
@Tag("e2e")
@NeedsGo
@ExtendWith(BuiltImages.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("release pages")
class ReleasePageTest {

    private static final Path ROOT = ProjectRoot.find();
    private static final Binaries BINARIES = Binaries.ofThisProcess();
    private static final String EARLIER = RealLab.VERSION;
    private static final String LATER = "v0.2.1";
    private static final String NAMESPACE = "prod";

    @TempDir
    private static Path pages;

    @TempDir
    private Path folder;

    @BeforeAll
    static void build(Images images) throws IOException {
        build(EARLIER, images.folder());
        // Of the later page only the manifests count here.
        Path same = Files.createDirectories(pages.resolve("images"));
        for (Provider provider : Provider.values()) {
            Files.copy(images.archive(provider), new Images(ROOT, same, LATER).archive(provider));
        }
        build(LATER, same);
    }

    private static void build(String version, Path images) {
        Output.of(
                        List.of(
                                ROOT.resolve("config/release-page").toString(),
                                "--version",
                                version,
                                "--out",
                                pages.resolve(version).toString(),
                                "--images",
                                images.toString(),
                                "--source",
                                "https://github.com/example/capoa",
                                "--no-build"),
                        Map.of("KUBECTL", BINARIES.renderingKubectl().toString()),
                        Duration.ofMinutes(2))
                .orThrow();
    }

    @Test
    void theReleasePage_hasAllFilesOfARelease_withTheirChecksums() throws IOException {
        Path page = pages.resolve(EARLIER);

        try (Stream<Path> files = Files.list(page)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "SHA256SUMS",
                            "bootstrap-components.yaml",
                            "bootstrap-plain.yaml",
                            "bootstrap-provider-v0.2.0.oci.tar",
                            "bootstrap-provider.cdx.json",
                            "cluster-template-capm3-v1beta1.yaml",
                            "cluster-template-disconnected.yaml",
                            "cluster-template-external.yaml",
                            "cluster-template-live-iso.yaml",
                            "cluster-template-okd.yaml",
                            "cluster-template-single-node.yaml",
                            "cluster-template-topology.yaml",
                            "cluster-template.yaml",
                            "clusterclass-openshift-baremetal.yaml",
                            "clusterctl.yaml",
                            "control-plane-components.yaml",
                            "control-plane-plain.yaml",
                            "controlplane-provider-v0.2.0.oci.tar",
                            "controlplane-provider.cdx.json",
                            "licences.md",
                            "metadata.yaml",
                            "operator.yaml",
                            "page.yaml",
                            "release-notes.md",
                            "replace-go-provider",
                            "runtime-extension.yaml");
        }
        assertThat(Files.readAllLines(page.resolve("SHA256SUMS"))).hasSize(25).allSatisfy(line -> {
            String[] sum = line.split("  ", 2);
            assertThat(sum[0]).as(sum[1]).isEqualTo(sha256(page.resolve(sum[1])));
        });
        assertThat(Files.readString(page.resolve("licences.md"))).contains("| io.fabric8:kubernetes-client | ");
        assertThat(Files.readString(page.resolve("release-notes.md")))
                .startsWith("# v0.2.0\n\n## Upgrade\n")
                .contains("\n## Versions\n", "\n## Changes since ", "\n### controlplane\n");
    }

    private static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Managers run from their jars, which both pages have in common; pods have the images of their version. */
    @Test
    void thePagesAlone_installTheProviders_upgradeThem_andLeadBack_withTheClusterAsItWas() throws IOException {
        String document = Files.readString(ROOT.resolve("docs/install.md"));
        List<String> installation = DocumentCommands.blocks(section(document, "## With clusterctl"));
        List<String> upgrade = DocumentCommands.blocks(section(document, "### Upgrades, and the way back"));
        assertThat(installation).hasSize(2);
        assertThat(upgrade).hasSize(2);
        Path home = Files.createDirectories(folder.resolve("user"));
        Path state = Files.createDirectories(folder.resolve("state"));

        try (LocalCluster cluster = LocalCluster.builder().state(state).start()) {
            UserShell shell = new UserShell(home, BINARIES, cluster);
            layOut(EARLIER, installation.get(1), home, shell);
            LocalRepository core =
                    LocalRepository.assemble(state, home.resolve("repository"), ROOT, BINARIES, Map.of());
            shell.addCore(core, "clusterctl.yaml");
            try (ClusterctlInstallation node = ClusterctlInstallation.prepare(
                            ManagementCluster.on(cluster),
                            BINARIES,
                            core,
                            state,
                            System.err::println,
                            provider -> provider.program(ROOT));
                    ReleaseRegistry registry = ReleaseRegistry.start(Delays.none())) {
                node.mirrors(registry.registriesConf());
                // Metal3 is simulated below.
                shell.run(installation.getFirst().replace("--infrastructure metal3 ", ""));
                awaitManagers(cluster.admin(), EARLIER);
                try (Peers peers =
                        Peers.start(cluster, Optional.of(registry), Delays.none(), state, Set.of(Peer.CLUSTER_API))) {
                    installCluster(shell, peers);
                    State before = State.of(cluster.admin(), NAMESPACE);
                    List<Object> own = own(cluster.admin());

                    layOut(LATER, installation.get(1), home, shell);
                    shell.addCore(core, "clusterctl.yaml");
                    Output upgraded = shell.run(upgrade.getFirst());
                    assertThat(upgraded.all())
                            .containsPattern("bootstrap-openshift-assisted .* v0.2.0 +v0.2.1")
                            .containsPattern("control-plane-openshift-assisted .* v0.2.0 +v0.2.1");
                    awaitManagers(cluster.admin(), LATER);
                    awaitReconciled(cluster.admin(), shell, LATER);
                    assertThat(State.of(cluster.admin(), NAMESPACE)).isEqualTo(before);
                    assertThat(own(cluster.admin())).isEqualTo(own);

                    shell.run(upgrade.getLast());
                    awaitManagers(cluster.admin(), EARLIER);
                    awaitReconciled(cluster.admin(), shell, EARLIER);
                    assertThat(State.of(cluster.admin(), NAMESPACE)).isEqualTo(before);
                    assertThat(own(cluster.admin())).isEqualTo(own);
                }
            }
        }
    }

    private static void layOut(String version, String commands, Path home, UserShell shell) {
        assertThat(commands).contains("version=" + EARLIER + "\n", " page/*.yaml ", " page/clusterctl.yaml ");
        shell.run(commands.replace("version=" + EARLIER + "\n", "version=" + version + "\n")
                .replace(" page/", " " + pages.resolve(version) + "/"));
        assertThat(home.resolve("clusterctl.yaml"))
                .content()
                .contains("url: file://" + home.resolve("repository") + "/", "/" + version + "/")
                .doesNotContain("url: https://");
    }

    private static void installCluster(UserShell shell, Peers peers) {
        shell.run("""
                kubectl create namespace prod
                echo '{"auths":{"quay.io":{"auth":"c2FtcGxlOnNhbXBsZQ=="}}}' > pull-secret.json
                kubectl create secret generic pull-secret -n prod --type=kubernetes.io/dockerconfigjson \
                  --from-file=.dockerconfigjson=pull-secret.json
                """);
        peers.rack(NAMESPACE, 1);
        shell.run("""
                export BASE_DOMAIN=lab.example MACHINE_CIDR=192.0.2.0/24
                export IMAGE_URL=http://images.lab.example/rhcos-nutanix.x86_64.qcow2
                export IMAGE_CHECKSUM=$IMAGE_URL.sha256
                clusterctl generate cluster prod --config clusterctl.yaml --target-namespace prod \
                  --control-plane-machine-count 1 --worker-machine-count 0 \
                  --from %s/cluster-template-single-node.yaml | kubectl apply -n prod -f -
                kubectl wait -n prod cluster/prod --for=condition=Available --timeout=5m
                """.formatted(pages.resolve(EARLIER)));
    }

    private static void awaitManagers(KubernetesClient admin, String version) {
        for (Provider provider : Provider.values()) {
            await().atMost(RealLab.SOON)
                    .untilAsserted(() -> assertThat(admin.pods()
                                    .inNamespace(provider.namespace())
                                    .list()
                                    .getItems())
                            .singleElement()
                            .satisfies(pod -> {
                                assertThat(pod.getSpec()
                                                .getContainers()
                                                .getFirst()
                                                .getImage())
                                        .isEqualTo("localhost/capoa/%s:%s".formatted(provider.module(), version));
                                assertThat(pod.getStatus().getConditions())
                                        .anyMatch(
                                                condition -> condition.getType().equals("Ready")
                                                        && condition.getStatus().equals("True"));
                            }));
        }
    }

    /** The manager of the control plane applies a change to the Machines, and all is available still. */
    private static void awaitReconciled(KubernetesClient admin, UserShell shell, String version) {
        shell.run("kubectl patch openshiftassistedcontrolplane prod -n prod --type=merge -p"
                + " '{\"spec\":{\"machineTemplate\":{\"metadata\":{\"labels\":{\"release\":\"%s\"}}}}}'"
                        .formatted(version));
        await().atMost(RealLab.SOON)
                .untilAsserted(() -> assertThat(
                                only(admin, Machine.class).getMetadata().getLabels())
                        .containsEntry("release", version));
        shell.run("kubectl wait -n prod cluster/prod --for=condition=Available --timeout=5m");
    }

    /** UID and configuration of the control plane and of its config. */
    private static List<Object> own(KubernetesClient admin) {
        OpenshiftAssistedControlPlane controlPlane = only(admin, OpenshiftAssistedControlPlane.class);
        OpenshiftAssistedConfig config = only(admin, OpenshiftAssistedConfig.class);
        return List.of(
                controlPlane.getMetadata().getUid(),
                controlPlane.getSpec().config(),
                config.getMetadata().getUid(),
                config.getSpec());
    }

    private static <T extends HasMetadata> T only(KubernetesClient admin, Class<T> kind) {
        List<T> objects = admin.resources(kind).inNamespace(NAMESPACE).list().getItems();
        assertThat(objects).hasSize(1);
        return objects.getFirst();
    }

    /** The text below a heading, up to the next heading of any level. */
    private static String section(String document, String heading) {
        int start = document.indexOf("\n" + heading + "\n") + heading.length() + 2;
        return document.substring(start, document.indexOf("\n#", start));
    }
}
