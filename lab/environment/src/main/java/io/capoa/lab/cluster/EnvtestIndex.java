package io.capoa.lab.cluster;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The publisher's index of envtest archives.
 *
 * @param archives every version for every platform
 */
record EnvtestIndex(List<Archive> archives) {

    @SuppressWarnings("unchecked")
    static EnvtestIndex parse(String yaml) {
        List<Archive> archives = new ArrayList<>();
        Object document =
                new KubernetesSerialization().unmarshal(yaml, Map.class).get("releases");
        if (document instanceof Map<?, ?> releases) {
            ((Map<String, Map<String, Map<String, String>>>) releases)
                    .forEach((version, files) -> files.forEach((file, facts) -> archives.add(new Archive(
                            version,
                            file,
                            URI.create(Objects.requireNonNull(facts.get("selfLink"))),
                            Objects.requireNonNull(facts.get("hash"))))));
        }
        return new EnvtestIndex(List.copyOf(archives));
    }

    /** The newest archive of the same minor version; not every patch release of Kubernetes has one. */
    Archive newestPatchOf(String version, String platform) {
        String minor = version.substring(0, version.lastIndexOf('.') + 1);
        return archives.stream()
                .filter(archive -> archive.version().matches("v\\d+\\.\\d+\\.\\d+"))
                .filter(archive -> archive.version().startsWith(minor))
                .filter(archive -> archive.file().endsWith("-" + platform + ".tar.gz"))
                .max(Comparator.comparingInt(
                        archive -> Integer.parseInt(archive.version().substring(minor.length()))))
                .orElseThrow(() -> new ClusterException(
                        "No envtest archive of Kubernetes %sx is published for %s: install Go (https://go.dev/dl)."
                                .formatted(minor, platform)));
    }

    /** This machine's platform in the archives' names, such as {@code linux-amd64}. */
    static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String architecture = System.getProperty("os.arch");
        return system
                + "-"
                + switch (architecture) {
                    case "aarch64" -> "arm64";
                    case "x86_64" -> "amd64";
                    default -> architecture;
                };
    }

    /** One archive with its checksum. */
    record Archive(String version, String file, URI location, String sha512) {}
}
