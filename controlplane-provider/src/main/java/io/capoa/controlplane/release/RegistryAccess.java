package io.capoa.controlplane.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How registries are reached: through which mirrors, and whose certificates are trusted besides the platform's.
 *
 * @param caBundle PEM certificates; empty for none
 */
public record RegistryAccess(RegistryMirrors mirrors, String caBundle) {

    /** Names a file for the manager's own access where no flag does. */
    public static final String REGISTRIES_CONF = "REGISTRIES_CONF";

    /** Registries as they are, trusted as the platform trusts them. */
    public static RegistryAccess direct() {
        return new RegistryAccess(RegistryMirrors.none(), "");
    }

    /**
     * Reads what the manager was started with.
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
        RegistryMirrors mirrors = file == null ? RegistryMirrors.none() : RegistryMirrors.parse(Files.readString(file));
        return new RegistryAccess(mirrors, caBundle == null ? "" : Files.readString(caBundle));
    }

    /** This access, and where it says nothing, such as that of a cluster, the other's: mirrors and trust together. */
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
