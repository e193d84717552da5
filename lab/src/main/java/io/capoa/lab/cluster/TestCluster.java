package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.Optional;

/** A running management cluster's API server, seen as whoever one needs to be. */
public interface TestCluster extends AutoCloseable {

    /** A client that may do everything; shared, not to be closed by the caller. */
    KubernetesClient admin();

    /** Kubeconfig file of the administrator. */
    Path adminKubeconfig();

    /** A new client with an identity of its own and only the rights that RBAC grants it; closed by the caller. */
    KubernetesClient clientOf(String user);

    /** A kubeconfig file for the same identity, for a process. */
    Path kubeconfigOf(String user);

    /** How a role binding names that identity. */
    Subject subject(String user);

    /** How the API server names that identity, in its audit log and its answers. */
    default String userName(String user) {
        Subject subject = subject(user);
        return subject.getNamespace() == null
                ? subject.getName()
                : "system:serviceaccount:%s:%s".formatted(subject.getNamespace(), subject.getName());
    }

    /** Lets the identity do everything, as a whole product of somebody else whose exact rights do not matter. */
    default void empower(String user) {
        new Roles(this).bind("cluster-admin", user);
    }

    /** The audit log, where the cluster keeps one that can be read here. */
    Optional<AuditLog> auditLog();

    @Override
    void close();
}
