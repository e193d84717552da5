package io.capoa.lab.cluster.k3s;

import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.ExistingCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.cluster.TestClusters;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.testcontainers.containers.BindMode;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;

/** A k3s server in a container, with an audit log in a folder that container and tests share. */
public final class K3sCluster implements TestClusters.ContainerCluster {

    private static final DockerImageName IMAGE = DockerImageName.parse("rancher/k3s:v1.33.4-k3s1");
    private static final String POLICY_FILE = "/etc/rancher/k3s/audit-policy.yaml";
    private static final String AUDIT_FOLDER = "/var/log/audit";
    private static final String POLICY =
            """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived, ResponseStarted]
            rules:
            - level: Metadata
            """;

    @Override
    public TestCluster start() {
        try {
            Path folder = Files.createTempDirectory("capoa-k3s-");
            // The server in the container runs under another user.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
            K3sContainer container = new K3sContainer(IMAGE)
                    .withCopyToContainer(Transferable.of(POLICY), POLICY_FILE)
                    .withFileSystemBind(folder.toString(), AUDIT_FOLDER, BindMode.READ_WRITE);
            container.withCommand(
                    "server",
                    "--disable=traefik,servicelb,metrics-server",
                    "--tls-san=" + container.getHost(),
                    "--kube-apiserver-arg=audit-policy-file=" + POLICY_FILE,
                    "--kube-apiserver-arg=audit-log-path=" + AUDIT_FOLDER + "/audit.log",
                    "--kube-apiserver-arg=audit-log-mode=blocking");
            container.start();
            Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), container.getKubeConfigYaml());
            AuditLog log = new AuditLog(folder.resolve("audit.log"));
            return new Running(container, ExistingCluster.of(kubeconfig, Optional.of(log)));
        } catch (IOException | IllegalStateException e) {
            throw new ClusterException("k3s does not start: %s. It needs Docker.".formatted(e.getMessage()), e);
        }
    }

    /** The container and the cluster in it. */
    private record Running(K3sContainer container, ExistingCluster cluster) implements TestCluster {

        @Override
        public KubernetesClient admin() {
            return cluster.admin();
        }

        @Override
        public Path adminKubeconfig() {
            return cluster.adminKubeconfig();
        }

        @Override
        public KubernetesClient clientOf(String user) {
            return cluster.clientOf(user);
        }

        @Override
        public Path kubeconfigOf(String user) {
            return cluster.kubeconfigOf(user);
        }

        @Override
        public Subject subject(String user) {
            return cluster.subject(user);
        }

        @Override
        public Optional<AuditLog> auditLog() {
            return cluster.auditLog();
        }

        @Override
        public void close() {
            cluster.close();
            container.stop();
        }
    }
}
