package io.capoa.lint;

import io.capoa.lint.manifest.ManifestFile;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The sets of manifests among the test resources. */
final class ManifestSets {

    private ManifestSets() {}

    /** Names of the sets of a folder, {@code good} or {@code broken}, sorted. */
    static List<String> names(String folder) throws IOException {
        try (var files = Files.list(path(folder))) {
            return files.map(file -> file.getFileName().toString().replace(".yaml", ""))
                    .sorted()
                    .toList();
        }
    }

    /** One set; {@code folder/name}. */
    static ManifestFile read(String set) throws IOException {
        return new ManifestFile(set + ".yaml", Files.readString(file(set)));
    }

    static Path file(String set) {
        return path(set + ".yaml");
    }

    private static Path path(String resource) {
        try {
            return Path.of(Objects.requireNonNull(ManifestSets.class.getResource(resource), resource)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
