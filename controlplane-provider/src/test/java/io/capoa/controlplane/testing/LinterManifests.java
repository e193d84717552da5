package io.capoa.controlplane.testing;

import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The manifests of cloud controller managers on which the linter itself is tested. */
public final class LinterManifests {

    private LinterManifests() {}

    /** The text of a set; {@code folder/name}. */
    public static String read(String set) throws IOException {
        return Files.readString(file(set));
    }

    public static Path file(String set) {
        return ProjectRoot.find()
                .resolve("manifest-lint/src/test/resources/io/capoa/lint")
                .resolve(set + ".yaml");
    }
}
