package io.capoa.lab.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;

/**
 * How one user reaches an API server: written as a file for a process, given as a configuration for a client.
 *
 * @param server URL of the API server
 * @param authority PEM of the certificates to trust
 * @param user name of the context and user entry
 * @param token bearer token, never to be logged
 */
record Kubeconfig(String server, String authority, String user, String token) {

    private static final int RETRIES_OF_A_FAILED_REQUEST = 2;

    /** A client configuration that takes nothing from the environment. */
    Config config() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(server)
                .withCaCertData(authority.isEmpty() ? null : base64(authority))
                .withOauthToken(token)
                .withNamespace("default")
                .withRequestRetryBackoffLimit(RETRIES_OF_A_FAILED_REQUEST)
                .build();
    }

    /** Writes the file, readable by this user alone. */
    Path write(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, yaml());
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write the kubeconfig " + file, e);
        }
    }

    private String yaml() {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: management
                  cluster:
                    server: %1$s
                    certificate-authority-data: %2$s
                users:
                - name: "%3$s"
                  user:
                    token: %4$s
                contexts:
                - name: "%3$s@management"
                  context:
                    cluster: management
                    user: "%3$s"
                    namespace: default
                current-context: "%3$s@management"
                """.formatted(server, base64(authority), user, token);
    }

    @Override
    public String toString() {
        return "Kubeconfig[" + user + " at " + server + "]";
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
