package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A running cluster, accessed as the administrator of a kubeconfig. Users are ServiceAccounts in a namespace that is
 * created for them and deleted at the end; there is no audit log.
 */
public final class ExistingCluster implements TestCluster {

    private static final Duration TOKEN_LIFETIME = Duration.ofHours(12);

    private final Path kubeconfig;
    private final Config config;
    private final KubernetesClient admin;
    private final String namespace;
    private final StateFolder state;
    private final Optional<AuditLog> auditLog;

    private ExistingCluster(Path kubeconfig, Config config, Optional<AuditLog> auditLog) {
        this.kubeconfig = kubeconfig;
        this.config = config;
        this.auditLog = auditLog;
        this.admin = new KubernetesClientBuilder().withConfig(config).build();
        this.namespace = makeNamespace();
        this.state = StateFolder.of(Optional.empty());
    }

    /**
     * Connects to the cluster of the kubeconfig's current context.
     *
     * @throws ClusterException if the file or the cluster cannot be used
     */
    public static ExistingCluster of(Path kubeconfig) {
        return of(kubeconfig, Optional.empty());
    }

    /** As {@link #of(Path)}, with the cluster's audit log if this machine can read it. */
    public static ExistingCluster of(Path kubeconfig, Optional<AuditLog> auditLog) {
        try {
            Config config = Config.fromKubeconfig(Files.readString(kubeconfig));
            return new ExistingCluster(kubeconfig, config, auditLog);
        } catch (IOException e) {
            throw new ClusterException(
                    "Cannot read the kubeconfig %s: set KUBECONFIG to the file of the cluster to use."
                            .formatted(kubeconfig),
                    e);
        }
    }

    private String makeNamespace() {
        try {
            return admin.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withGenerateName("capoa-identities-")
                            .endMetadata()
                            .build())
                    .create()
                    .getMetadata()
                    .getName();
        } catch (RuntimeException e) {
            admin.close();
            throw new ClusterException(
                    "The cluster of %s at %s cannot be used: %s"
                            .formatted(kubeconfig, config.getMasterUrl(), e.getMessage()),
                    e);
        }
    }

    @Override
    public KubernetesClient admin() {
        return admin;
    }

    @Override
    public Path adminKubeconfig() {
        return kubeconfig;
    }

    @Override
    public KubernetesClient clientOf(String user) {
        return new KubernetesClientBuilder().withConfig(identity(user).config()).build();
    }

    @Override
    public Path kubeconfigOf(String user) {
        return identity(user).write(state.path().resolve(user + ".kubeconfig"));
    }

    @Override
    public Subject subject(String user) {
        return new SubjectBuilder()
                .withKind("ServiceAccount")
                .withNamespace(namespace)
                .withName(user)
                .build();
    }

    @Override
    public Optional<AuditLog> auditLog() {
        return auditLog;
    }

    @Override
    public void close() {
        admin.namespaces().withName(namespace).delete();
        admin.close();
        state.close();
    }

    private UserKubeconfig identity(String user) {
        ServiceAccount account = new ServiceAccountBuilder()
                .withNewMetadata()
                .withName(user)
                .withNamespace(namespace)
                .endMetadata()
                .build();
        admin.resource(account).fieldManager("lab").forceConflicts().serverSideApply();
        TokenRequest answer = admin.serviceAccounts()
                .inNamespace(namespace)
                .withName(user)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(TOKEN_LIFETIME.toSeconds())
                        .endSpec()
                        .build());
        return new UserKubeconfig(
                config.getMasterUrl(),
                UserKubeconfig.authority(config),
                user,
                answer.getStatus().getToken());
    }
}
