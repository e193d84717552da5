package io.capoa.lab.clusterctl;

import io.capoa.lab.certmanager.CertManager;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.pods.LocalNode;
import io.capoa.lab.pods.Program;
import io.capoa.lab.pods.Programs;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.provider.ProviderProgram;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A management cluster on which clusterctl installs and runs the real Cluster API core and both our providers: the kinds
 * that it does not bring, certificates, and a node that its Deployments run on.
 */
public final class Installation implements AutoCloseable {

    /** Namespace of the control-plane provider, and name of the ConfigMap that it takes mirrors of registries from. */
    private static final String CONTROL_PLANE_NAMESPACE = "capoa-controlplane-system";

    private static final String REGISTRIES = "capoa-registries";

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final TestCluster cluster;
    private final LocalNode node;
    private final Clusterctl clusterctl;

    private Installation(TestCluster cluster, Clusterctl clusterctl, LocalNode node) {
        this.cluster = cluster;
        this.clusterctl = clusterctl;
        this.node = node;
    }

    /**
     * Makes everything that {@code clusterctl init} needs, and leaves that to the caller.
     *
     * @param thirdPartyCrds folder with the publishers' CRDs; without it the lab's lean ones are used
     * @param repository where clusterctl finds core and our providers
     * @param folder for the logs and files of the node
     */
    public static Installation prepare(
            TestCluster cluster,
            Path root,
            Optional<Path> thirdPartyCrds,
            Binaries binaries,
            LocalRepository repository,
            Path folder) {
        new ManagementCluster(cluster, root, thirdPartyCrds).prepareForClusterctl(CertManagerDefinitions.folder(root));
        CertManager certificates = CertManager.start(cluster);
        try {
            LocalNode node = LocalNode.of(cluster)
                    .programs(new Programs(programs(root, binaries)))
                    .folder(folder)
                    .start();
            Installation installation =
                    new Installation(cluster, Clusterctl.of(binaries, repository, cluster.adminKubeconfig()), node);
            installation.started.push(certificates);
            installation.started.push(node);
            return installation;
        } catch (RuntimeException e) {
            certificates.close();
            throw e;
        }
    }

    /** A repository with core and with one version of our providers, made from this checkout. */
    public static LocalRepository repository(Path root, Binaries binaries, Path folder, String version) {
        Path releases = Release.manifests(root, binaries, version, folder.resolve("dist"));
        return LocalRepository.assemble(folder, releases, root, binaries, Map.of());
    }

    private static List<Program> programs(Path root, Binaries binaries) {
        List<Program> programs = new ArrayList<>(Stream.of(Provider.values())
                .map(provider -> ProviderProgram.of(provider, root))
                .toList());
        programs.add(CoreProgram.of(binaries));
        return programs;
    }

    /** Sends the control-plane provider to the registries that the file names; best before it is installed. */
    public void mirrors(Path registriesConf) {
        var admin = cluster.admin();
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(CONTROL_PLANE_NAMESPACE)
                        .endMetadata()
                        .build())
                .fieldManager("lab")
                .serverSideApply();
        try {
            admin.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName(REGISTRIES)
                            .withNamespace(CONTROL_PLANE_NAMESPACE)
                            .endMetadata()
                            .withData(Map.of("registries.conf", Files.readString(registriesConf)))
                            .build())
                    .fieldManager("lab")
                    .forceConflicts()
                    .serverSideApply();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The real clusterctl, as the administrator of this cluster. */
    public Clusterctl clusterctl() {
        return clusterctl;
    }

    /** Where the managers run. */
    public LocalNode node() {
        return node;
    }

    @Override
    public void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                System.err.println("While stopping what clusterctl installed: " + e);
            }
        }
    }
}
