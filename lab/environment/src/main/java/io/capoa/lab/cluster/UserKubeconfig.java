package io.capoa.lab.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Optional;

/**
 * Access of one user to an API server, as a file for a process or as a configuration for a client.
 *
 * @param server URL of the API server
 * @param authority PEM of the certificates to trust
 * @param user name of the context and user entry
 * @param token bearer token, never to be logged
 * @param tokenFile file with the same token; Go clients reload it every minute, fabric8 clients reload the kubeconfig
 * @param namespace default namespace
 */
public record UserKubeconfig(
        String server, String authority, String user, String token, Optional<Path> tokenFile, String namespace) {

    private static final int RETRIES_OF_A_FAILED_REQUEST = 2;

    UserKubeconfig(String server, String authority, String user, String token) {
        this(server, authority, user, token, Optional.empty(), "default");
    }

    /** The server of a client's configuration, as another user. */
    public static UserKubeconfig like(Config config, String user, String token, Path tokenFile, String namespace) {
        return new UserKubeconfig(
                config.getMasterUrl().replaceAll("/+$", ""),
                authority(config),
                user,
                token,
                Optional.of(tokenFile),
                namespace);
    }

    /** PEM of the certificates that a client's configuration trusts; empty for the system's. */
    static String authority(Config config) {
        try {
            if (config.getCaCertData() != null) {
                return new String(Base64.getDecoder().decode(config.getCaCertData()), StandardCharsets.UTF_8);
            }
            return config.getCaCertFile() == null ? "" : Files.readString(Path.of(config.getCaCertFile()));
        } catch (IOException e) {
            throw new ClusterException(
                    "Cannot read the certificate authority %s of the kubeconfig.".formatted(config.getCaCertFile()), e);
        }
    }

    /** A client configuration that ignores the environment. */
    Config config() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(server)
                .withCaCertData(authority.isEmpty() ? null : base64(authority))
                .withOauthToken(token)
                .withNamespace("default")
                .withRequestRetryBackoffLimit(RETRIES_OF_A_FAILED_REQUEST)
                .build();
    }

    /** Writes the file atomically, readable only by its owner. */
    public Path write(Path file) {
        try {
            Path folder = Files.createDirectories(file.toAbsolutePath().getParent());
            Path whole = Files.createTempFile(
                    folder,
                    file.getFileName().toString(),
                    ".new",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(whole, yaml());
            return Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
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
                %2$s
            users:
            - name: "%3$s"
              user:
                token: %4$s%5$s
            contexts:
            - name: "%3$s@management"
              context:
                cluster: management
                user: "%3$s"
                namespace: %6$s
            current-context: "%3$s@management"
            """.formatted(
                        server,
                        authority.isEmpty() ? "" : "certificate-authority-data: " + base64(authority),
                        user,
                        token,
                        tokenFile.map("\n    tokenFile: \"%s\""::formatted).orElse(""),
                        namespace);
    }

    @Override
    public String toString() {
        return "Kubeconfig[" + user + " at " + server + "]";
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
