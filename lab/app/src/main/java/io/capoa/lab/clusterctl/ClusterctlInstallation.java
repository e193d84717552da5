package io.capoa.lab.clusterctl;

import io.capoa.lab.certmanager.CertManager;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.pods.LocalNode;
import io.capoa.lab.pods.Program;
import io.capoa.lab.pods.Programs;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.provider.ProviderInstallation;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Prepares a management cluster for clusterctl, which installs the real Cluster API core and our providers: other CRDs,
 * cert-manager's stand-in, and a node for the Deployments.
 */
public final class ClusterctlInstallation implements AutoCloseable {

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final TestCluster cluster;
    private final LocalNode node;
    private final Clusterctl clusterctl;

    private ClusterctlInstallation(TestCluster cluster, Clusterctl clusterctl, LocalNode node) {
        this.cluster = cluster;
        this.clusterctl = clusterctl;
        this.node = node;
    }

    /**
     * Creates the prerequisites of {@code clusterctl init}, which the caller runs.
     *
     * @param repository repository with core and our providers
     * @param folder for the logs and files of the node
     * @param restarted receives a sentence when a container has ended unexpectedly
     * @param managers programs of the two providers
     */
    public static ClusterctlInstallation prepare(
            ManagementCluster management,
            Binaries binaries,
            LocalRepository repository,
            Path folder,
            Consumer<String> restarted,
            Function<Provider, Program> managers) {
        TestCluster cluster = management.cluster();
        management.prepareForClusterctl(CertManagerDefinitions.folder(management.root()));
        CertManager certificates = CertManager.start(cluster);
        try {
            LocalNode node = LocalNode.of(cluster)
                    .programs(new Programs(programs(binaries, managers)))
                    .folder(folder)
                    .onRestart(restarted)
                    .start();
            ClusterctlInstallation installation = new ClusterctlInstallation(
                    cluster, Clusterctl.of(binaries, repository, cluster.adminKubeconfig()), node);
            installation.started.push(certificates);
            installation.started.push(node);
            return installation;
        } catch (RuntimeException e) {
            certificates.close();
            throw e;
        }
    }

    /** A repository with core and one version of our providers, built from this checkout. */
    public static LocalRepository repository(Path root, Binaries binaries, Path folder, String version) {
        Path releases = ReleaseBuild.manifests(root, binaries, version, folder.resolve("dist"));
        return LocalRepository.assemble(folder, releases, root, binaries, Map.of());
    }

    private static List<Program> programs(Binaries binaries, Function<Provider, Program> managers) {
        List<Program> programs =
                new ArrayList<>(Stream.of(Provider.values()).map(managers).toList());
        programs.add(CoreProgram.of(binaries));
        return programs;
    }

    /** Configures the mirrors of the control-plane provider; call it before the installation. */
    public void mirrors(String registriesConf) {
        ProviderInstallation.configureMirrors(cluster.admin(), registriesConf);
    }

    /** clusterctl as the administrator of this cluster. */
    public Clusterctl clusterctl() {
        return clusterctl;
    }

    /** The node on which the managers run. */
    public LocalNode node() {
        return node;
    }

    @Override
    public void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                System.err.println("While stopping the clusterctl installation: " + e);
            }
        }
    }
}
