package io.capoa.lab;

import io.capoa.lab.actors.Delays;
import io.capoa.lab.certmanager.CertManager;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.pods.LocalNode;
import io.capoa.lab.pods.Programs;
import io.capoa.lab.provider.Installation;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.registry.ReleaseRegistry;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Everything that a management cluster needs to install clusters: a node, certificates, the two providers as their
 * release installs them, and all that stands around them.
 */
public final class Site implements AutoCloseable {

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final LocalNode node;
    private final Neighbours neighbours;

    private Site(ManagementCluster management, Delays delays, Path folder, Consumer<String> restarted) {
        TestCluster cluster = management.cluster();
        requireDeployments(cluster);
        try {
            Installation providers = Installation.of(cluster, management.root());
            // Each waits for kinds of its own to be served.
            CompletableFuture<CertManager> certManager = CompletableFuture.supplyAsync(
                    () -> keep(CertManager.start(cluster)),
                    work -> Thread.ofVirtual().start(work));
            try {
                management.prepareNeighbours(providers.definitions());
            } finally {
                certManager.handle((started, failure) -> started).join();
            }
            var unused = certManager.get();
            Programs programs = new Programs(Stream.of(Provider.values())
                    .map(provider -> provider.program(management.root()))
                    .toList());
            node = keep(LocalNode.of(cluster)
                    .programs(programs)
                    .folder(folder)
                    .onRestart(restarted)
                    .start());
            ReleaseRegistry registry = keep(ReleaseRegistry.start(delays));
            providers.apply(registry.registriesConf());
            // While the providers start.
            neighbours = keep(Neighbours.start(cluster, registry, delays, folder));
            for (Provider provider : Provider.values()) {
                Installation.awaitAvailable(cluster.admin(), provider);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new ClusterException("Interrupted while the lab was starting.", e);
        } catch (ExecutionException e) {
            close();
            throw new ClusterException("The stand-in for cert-manager does not start: " + e.getCause(), e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static void requireDeployments(TestCluster cluster) {
        if (cluster instanceof LocalCluster local
                && !local.processIds().containsKey(Tool.KUBE_CONTROLLER_MANAGER.executable())) {
            throw new ClusterException(
                    "The lab needs kube-controller-manager, which makes pods of Deployments. It is built"
                            + " from Go modules, and Go is not installed (https://go.dev/dl).");
        }
    }

    /**
     * Starts everything on a fresh API server of the lab; returns when it is ready.
     *
     * @param folder for logs, pods and the hosts' file systems
     * @param restarted told a sentence when a process of a pod has ended that nobody stopped
     */
    public static Site start(ManagementCluster management, Delays delays, Path folder, Consumer<String> restarted) {
        return new Site(management, delays, folder, restarted);
    }

    public LocalNode node() {
        return node;
    }

    public Neighbours neighbours() {
        return neighbours;
    }

    private synchronized <C extends AutoCloseable> C keep(C part) {
        started.push(part);
        return part;
    }

    @Override
    public synchronized void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                System.err.println("While stopping: " + e);
            }
        }
    }
}
