package io.capoa.lab.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;

/** Files that a local control plane reads at the start or writes, in one folder. */
record ControlPlaneFiles(Path folder) {

    private static final String ONE_LINE_PER_FINISHED_REQUEST = """
        apiVersion: audit.k8s.io/v1
        kind: Policy
        omitStages: [RequestReceived, ResponseStarted]
        omitManagedFields: true
        rules:
        """;

    /** The objects of custom resources only: Secrets stay out of the log. */
    private static final String OBJECTS_OF_WRITES = """
        - level: RequestResponse
          verbs: [create, update, patch]
          resources:
          - group: agent-install.openshift.io
          - group: bootstrap.cluster.x-k8s.io
          - group: cluster.x-k8s.io
          - group: controlplane.cluster.x-k8s.io
          - group: extensions.hive.openshift.io
          - group: hive.openshift.io
          - group: infrastructure.cluster.x-k8s.io
          - group: metal3.io
        """;

    private static final String THE_REST = """
        - level: Metadata
        """;

    /**
     * Writes tokens, keys and the audit policy.
     *
     * @param auditObjects whether the audit log contains the response objects of writes to custom resources
     */
    static ControlPlaneFiles write(Path folder, UserTokens tokens, boolean auditObjects) {
        ControlPlaneFiles files = new ControlPlaneFiles(folder);
        try {
            Files.createDirectories(files.certificates());
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            writePrivately(files.tokens(), tokens.file());
            writePrivately(files.serviceAccountKey(), pem("PRIVATE KEY", pair.getPrivate()));
            writePrivately(files.serviceAccountPublicKey(), pem("PUBLIC KEY", pair.getPublic()));
            writePrivately(
                    files.auditPolicy(),
                    ONE_LINE_PER_FINISHED_REQUEST + (auditObjects ? OBJECTS_OF_WRITES : "") + THE_REST);
            // The server creates these after the first request; tools that follow them need them from the start.
            Files.deleteIfExists(files.auditLog());
            Files.createFile(files.auditLog());
            // An incomplete pair, or one of an earlier run, would be mistaken for the new one.
            Files.deleteIfExists(files.servingCertificate());
            Files.deleteIfExists(files.servingKey());
            for (Tool tool : Tool.values()) {
                Files.deleteIfExists(files.log(tool));
            }
            return files;
        } catch (IOException e) {
            throw new ClusterException(
                    "Cannot write the control plane's files below %s: %s".formatted(folder, e.getMessage()), e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    Path tokens() {
        return folder.resolve("tokens.csv");
    }

    Path serviceAccountKey() {
        return folder.resolve("service-account.key");
    }

    Path serviceAccountPublicKey() {
        return folder.resolve("service-account.pub");
    }

    Path auditPolicy() {
        return folder.resolve("audit-policy.yaml");
    }

    Path auditLog() {
        return folder.resolve("audit.log");
    }

    Path certificates() {
        return folder.resolve("certificates");
    }

    /** Created by kube-apiserver at the start: its certificate, then its CA. */
    Path servingCertificate() {
        return certificates().resolve("apiserver.crt");
    }

    /** Created after the certificate. */
    Path servingKey() {
        return certificates().resolve("apiserver.key");
    }

    Path kubeconfig(String user) {
        return folder.resolve("kubeconfigs").resolve(user.replace(':', '-') + ".kubeconfig");
    }

    Path log(Tool tool) {
        return folder.resolve("logs").resolve(tool.executable() + ".log");
    }

    private static void writePrivately(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text);
    }

    private static String pem(String kind, Key key) {
        return "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n"
                .formatted(kind, Base64.getMimeEncoder().encodeToString(key.getEncoded()));
    }

    /** The CA in PEM. */
    String authority() {
        try {
            return Files.readString(servingCertificate());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
