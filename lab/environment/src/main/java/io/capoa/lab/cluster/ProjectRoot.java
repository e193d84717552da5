package io.capoa.lab.cluster;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the checkout that this code belongs to, from which CRDs, roles and Go modules are read. */
public final class ProjectRoot {

    /** System property with the path of the checkout, if it is not a parent folder. */
    public static final String PROPERTY = "capoa.root";

    private static final Path MARK = Path.of("lab", "binaries");

    private ProjectRoot() {}

    /**
     * The checkout: the value of {@value #PROPERTY}, else the nearest parent folder with {@code lab/binaries}, of the
     * working directory or of this class file.
     *
     * @throws ClusterException if there is none
     */
    public static Path find() {
        return find(System.getProperty(PROPERTY), Path.of(""), whereThisCodeLies());
    }

    static Path find(@Nullable String property, Path workingDirectory, Optional<Path> code) {
        if (property != null && !property.isBlank()) {
            Path root = Path.of(property).toAbsolutePath().normalize();
            if (!isRoot(root)) {
                throw new ClusterException(
                        "%s=%s is not a checkout of this project: it has no %s.".formatted(PROPERTY, property, MARK));
            }
            return root;
        }
        return Stream.concat(Stream.of(workingDirectory), code.stream())
                .map(start -> start.toAbsolutePath().normalize())
                .flatMap(start -> Stream.iterate(start, folder -> folder != null, Path::getParent))
                .filter(ProjectRoot::isRoot)
                .findFirst()
                .orElseThrow(() -> new ClusterException(
                        "No checkout of this project found above %s: run from within one, or set -D%s=<folder>."
                                .formatted(workingDirectory.toAbsolutePath(), PROPERTY)));
    }

    private static boolean isRoot(Path folder) {
        return Files.isDirectory(folder.resolve(MARK));
    }

    private static Optional<Path> whereThisCodeLies() {
        CodeSource source = ProjectRoot.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(Path.of(source.getLocation().toURI()).getParent());
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
