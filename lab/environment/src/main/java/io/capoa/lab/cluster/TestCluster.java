package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.Optional;

/** The API server of a running management cluster, accessible as any of its users. */
public interface TestCluster extends AutoCloseable {

    /** The client of the administrator; shared, not closed by the caller. */
    KubernetesClient admin();

    /** Kubeconfig file of the administrator. */
    Path adminKubeconfig();

    /** A new client of the user, with the rights that RBAC grants; closed by the caller. */
    KubernetesClient clientOf(String user);

    /** A kubeconfig file of the user, for a process. */
    Path kubeconfigOf(String user);

    /** The user as subject of a role binding. */
    Subject subject(String user);

    /** The user name in the audit log and in responses of the API server. */
    default String userName(String user) {
        Subject subject = subject(user);
        return subject.getNamespace() == null
                ? subject.getName()
                : "system:serviceaccount:%s:%s".formatted(subject.getNamespace(), subject.getName());
    }

    /** Grants the user all rights, for third-party products whose exact rights do not matter. */
    default void empower(String user) {
        new ManifestRoles(this).bind("cluster-admin", user);
    }

    /** The audit log; empty if it cannot be read here. */
    Optional<AuditLog> auditLog();

    @Override
    void close();
}
