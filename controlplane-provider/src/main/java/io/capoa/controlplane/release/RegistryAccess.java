package io.capoa.controlplane.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How registries are reached: through which mirrors, and whose certificates are trusted besides the platform's.
 *
 * @param caBundle PEM certificates; empty for none
 */
public record RegistryAccess(RegistryMirrors mirrors, String caBundle) {

    private static final Logger log = LoggerFactory.getLogger(RegistryAccess.class);

    /** Names a file for the manager's own access where no flag does. */
    public static final String REGISTRIES_CONF = "REGISTRIES_CONF";

    /** Registries as they are, trusted as the platform trusts them. */
    public static RegistryAccess direct() {
        return new RegistryAccess(RegistryMirrors.none(), "");
    }

    /**
     * Reads what the manager was started with. A missing file has no settings: it may come from a ConfigMap that
     * only some sites have. It is read once, at the start.
     *
     * @param registriesConf value of {@code --registries-conf}; if absent, {@value #REGISTRIES_CONF} of the environment
     * @param caBundle a file of PEM certificates
     * @throws IOException a file cannot be read
     * @throws IllegalArgumentException a file's content cannot be used; the message says why
     */
    public static RegistryAccess load(@Nullable Path registriesConf, @Nullable Path caBundle) throws IOException {
        String fromEnvironment = System.getenv(REGISTRIES_CONF);
        Path file = registriesConf == null && fromEnvironment != null && !fromEnvironment.isBlank()
                ? Path.of(fromEnvironment)
                : registriesConf;
        return new RegistryAccess(
                read(file, "no mirrors are used").map(RegistryMirrors::parse).orElseGet(RegistryMirrors::none),
                read(caBundle, "registries are trusted as the platform trusts them")
                        .orElse(""));
    }

    private static Optional<String> read(@Nullable Path file, String without) throws IOException {
        if (file == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException absent) {
            log.info("{} does not exist: {}, until a restart after it has appeared", file, without);
            return Optional.empty();
        }
    }

    /** This access, falling back to the other one where it has no settings: mirrors and trust together. */
    RegistryAccess over(RegistryAccess other) {
        String together = caBundle.isBlank() || other.caBundle.isBlank() || caBundle.equals(other.caBundle)
                ? (caBundle.isBlank() ? other.caBundle : caBundle)
                : caBundle.strip() + "\n" + other.caBundle;
        return new RegistryAccess(mirrors.over(other.mirrors), together);
    }

    /** Equal for equal access. */
    public String fingerprint() {
        return mirrors.fingerprint() + "|" + (caBundle.isEmpty() ? "" : Fingerprint.of(caBundle));
    }
}
