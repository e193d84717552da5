package io.capoa.lab.cluster;

import io.capoa.lab.cluster.ControlPlaneProcesses.LoopbackPorts;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A real etcd, kube-apiserver and kube-controller-manager on this machine, without containers, that end with this
 * process; a process that exits unexpectedly is restarted. Users authenticate by token and have the rights that RBAC
 * grants; all but the administrator are subject to API Priority and Fairness.
 */
public final class LocalCluster implements TestCluster {

    private final StateFolder state;
    private final ControlPlaneFiles files;
    private final ControlPlaneProcesses processes;
    private final UserTokens tokens;
    private final KubernetesClient admin;
    private final Path adminKubeconfig;

    private LocalCluster(
            StateFolder state, ControlPlaneFiles files, ControlPlaneProcesses processes, UserTokens tokens) {
        this.state = state;
        this.files = files;
        this.processes = processes;
        this.tokens = tokens;
        this.admin = clientOf(UserTokens.ADMINISTRATOR);
        this.adminKubeconfig =
                kubeconfig(UserTokens.ADMINISTRATOR).write(files.folder().resolve("kubeconfig"));
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public KubernetesClient admin() {
        return admin;
    }

    @Override
    public Path adminKubeconfig() {
        return adminKubeconfig;
    }

    @Override
    public KubernetesClient clientOf(String user) {
        return new KubernetesClientBuilder()
                .withConfig(kubeconfig(user).config())
                .build();
    }

    @Override
    public Path kubeconfigOf(String user) {
        return kubeconfig(user).write(files.kubeconfig(user));
    }

    @Override
    public Subject subject(String user) {
        return new SubjectBuilder()
                .withApiGroup("rbac.authorization.k8s.io")
                .withKind("User")
                .withName(user)
                .build();
    }

    @Override
    public Optional<AuditLog> auditLog() {
        return Optional.of(new AuditLog(files.auditLog()));
    }

    /** Process ids of the control-plane processes, to measure their usage. */
    public SortedMap<String, Long> processIds() {
        SortedMap<String, Long> ids = new TreeMap<>();
        processes.running().forEach((tool, child) -> ids.put(tool.executable(), child.pid()));
        return ids;
    }

    @Override
    public void close() {
        admin.close();
        processes.stop();
        state.close();
    }

    private UserKubeconfig kubeconfig(String user) {
        return new UserKubeconfig(processes.server(), files.authority(), user, tokens.of(user));
    }

    /** Settings of a local cluster. */
    public static final class Builder {

        private static final int TRIES = 5;

        private final List<String> users = new ArrayList<>(KnownUsers.ALL);
        private boolean auditObjects;
        private @Nullable Path folder;
        private @Nullable Binaries binaries;
        private Consumer<String> restarted = System.err::println;
        private Consumer<ChildProcess.Exit> gaveUp = exit -> System.err.println(exit.describe());
        private Consumer<String> step = text -> {};
        private Supplier<LoopbackPorts> ports = LoopbackPorts::free;
        private Function<Path, EtcdData> data = folder -> EtcdData.temporary(Optional.empty(), folder);

        private Builder() {}

        /** Additional users to {@link KnownUsers#ALL}; the API server reads the list only at its start. */
        public Builder users(Collection<String> names) {
            users.addAll(names);
            return this;
        }

        /** As {@link #users(Collection)}. */
        public Builder users(String... names) {
            return users(List.of(names));
        }

        /**
         * Folder for kubeconfigs, audit log and logs, kept at the end; the default is a temporary one that is removed.
         */
        public Builder state(Path path) {
            folder = path;
            return this;
        }

        /** Logs the response objects of writes to custom resources; for tests, as the log becomes large. */
        public Builder auditObjects() {
            auditObjects = true;
            return this;
        }

        /** Source of the programs; the default is {@link Binaries#ofThisProcess}. */
        public Builder binaries(Binaries source) {
            binaries = source;
            return this;
        }

        /** Receives a sentence when a control-plane process has exited and is restarted. */
        public Builder onRestart(Consumer<String> listener) {
            restarted = listener;
            return this;
        }

        /** Receives what {@link #start} does next, such as "waiting until kube-apiserver is ready". */
        public Builder onStep(Consumer<String> listener) {
            step = listener;
            return this;
        }

        /** Called when a control-plane process has exited too often; the default prints to standard error. */
        public Builder onUnexpectedExit(Consumer<ChildProcess.Exit> listener) {
            gaveUp = listener;
            return this;
        }

        /**
         * Port of the API server; the default is a free one.
         *
         * @throws ClusterException if the port is in use
         */
        public Builder port(int port) {
            Ports.requireFree(port);
            return ports(() -> LoopbackPorts.free().withApiServer(port));
        }

        /** Starts from a copy of the data of a cluster that was stopped. */
        Builder saved(Path folder) {
            data = otherwise -> EtcdData.temporary(Optional.of(folder), otherwise);
            return this;
        }

        /** Keeps etcd's data in this folder after the end. */
        Builder keepingData(Path folder) {
            data = unused -> new EtcdData(folder, true);
            return this;
        }

        Builder ports(Supplier<LoopbackPorts> chooser) {
            ports = chooser;
            return this;
        }

        /**
         * Starts the cluster; returns when it is ready.
         *
         * @throws ClusterException if the start fails; nothing is left running
         */
        public LocalCluster start() {
            Binaries programs = binaries == null ? Binaries.ofThisProcess() : binaries;
            StateFolder state = StateFolder.of(Optional.ofNullable(folder));
            UserTokens tokens = new UserTokens(users);
            for (int attempt = 1; ; attempt++) {
                ControlPlaneFiles files = ControlPlaneFiles.write(state.path(), tokens, auditObjects);
                ControlPlaneProcesses processes = new ControlPlaneProcesses(programs, files, tokens, restarted, gaveUp);
                try {
                    processes.start(ports.get(), data.apply(files.folder()), step);
                    return new LocalCluster(state, files, processes, tokens);
                } catch (ControlPlaneExit e) {
                    processes.stop();
                    if (!e.portTaken() || attempt == TRIES) {
                        state.close();
                        throw new ClusterException("The API server did not start. " + e.getMessage(), e);
                    }
                } catch (RuntimeException e) {
                    processes.stop();
                    state.close();
                    throw e;
                }
            }
        }
    }
}
