package io.capoa.lab.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * An official release file that {@code lab/binaries/checksums.tsv} pins.
 *
 * @param location the publisher's address of the program, or of an archive that contains it
 */
record ReleaseFile(Tool tool, String version, String sha256, URI location) {

    private static final int COLUMNS = 5;

    /** The file with a program in its pinned version; empty if no checksum is pinned for the platform. */
    static Optional<ReleaseFile> of(Path root, Tool tool, String platform) {
        String version = GoRecipe.of(root, tool).version();
        Path table = root.resolve("lab").resolve("binaries").resolve("checksums.tsv");
        try {
            return Files.readAllLines(table).stream()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .filter(cells -> cells.length == COLUMNS)
                    .filter(cells ->
                            cells[0].equals(tool.executable()) && cells[1].equals(version) && cells[2].equals(platform))
                    .map(cells -> new ReleaseFile(tool, version, cells[3], URI.create(cells[4])))
                    .findFirst();
        } catch (IOException e) {
            throw new ClusterException("Cannot read the pinned checksums %s: %s".formatted(table, e), e);
        }
    }

    /** Whether the file is a gzipped tar archive. */
    boolean isArchive() {
        return location.getPath().endsWith(".tar.gz");
    }

    /** This machine's platform in the table, such as {@code linux-amd64}. */
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
}
