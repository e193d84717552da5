package io.capoa.runtime.connection;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bearer token of a kubeconfig's {@code tokenFile}, which fabric8 ignores; read again when the file has changed, such
 * as a bound service account token.
 */
final class TokenFile implements OAuthTokenProvider {

    private static final Logger log = LoggerFactory.getLogger(TokenFile.class);

    private final Path file;
    private @Nullable FileTime readAt;
    private String token = "";

    private TokenFile(Path file) {
        this.file = file;
    }

    /** The token file of the kubeconfig's current user; its path is relative to the kubeconfig's folder. */
    static Optional<TokenFile> of(Path kubeconfig) {
        var parsed = KubeConfigUtils.parseConfig(kubeconfig.toFile());
        return parsed.getContexts().stream()
                .filter(context -> context.getName().equals(parsed.getCurrentContext()))
                .findFirst()
                .flatMap(context -> parsed.getUsers().stream()
                        .filter(user ->
                                user.getName().equals(context.getContext().getUser()))
                        .findFirst())
                .map(user -> user.getUser())
                .map(AuthInfo::getTokenFile)
                .filter(name -> !name.isBlank())
                .map(name -> new TokenFile(kubeconfig.toAbsolutePath().resolveSibling(name)));
    }

    @Override
    public synchronized String getToken() {
        try {
            var written = Files.getLastModifiedTime(file);
            if (!written.equals(readAt)) {
                token = Files.readString(file).strip();
                readAt = written;
            }
        } catch (IOException e) {
            log.warn("Token file {} cannot be read; the last token stays in use", file);
        }
        return token;
    }
}
