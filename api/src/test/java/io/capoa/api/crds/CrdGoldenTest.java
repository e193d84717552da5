package io.capoa.api.crds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The files in {@code crds/} are what the API types say. */
class CrdGoldenTest {

    private static final String REWRITE = "mvn -pl api test -Dtest=CrdGoldenTest -Dcapoa.golden=write";

    private final Path directory = Path.of("..", "crds");

    @Test
    void theCommittedCrdsAreTheGeneratedOnes() throws IOException {
        SortedMap<String, String> generated = CrdFiles.generate();
        if ("write".equals(System.getProperty("capoa.golden"))) {
            write(generated);
        }
        SortedMap<String, String> committed = committed();
        Set<String> files = new TreeSet<>(generated.keySet());
        files.addAll(committed.keySet());
        files.removeIf(file -> Objects.equals(committed.get(file), generated.get(file)));
        assertThat(files)
                .as("files in crds/ that are not what the API types say; if the change is meant, run: %s", REWRITE)
                .isEmpty();
    }

    /** What the providers check objects of older versions by. */
    @Test
    void theSchemasOfTheRules_areThoseOfTheCrds() throws IOException {
        String generated = HubSchemaFile.of(CrdFiles.generate().values());
        if ("write".equals(System.getProperty("capoa.golden"))) {
            Files.writeString(HubSchemaFile.PATH, generated);
        }
        assertThat(Files.readString(HubSchemaFile.PATH))
                .as("%s; if the change is meant, run: %s", HubSchemaFile.PATH, REWRITE)
                .isEqualTo(generated);
    }

    @Test
    void generatingTwiceGivesTheSameBytes() {
        assertThat(CrdFiles.generate()).isEqualTo(CrdFiles.generate());
    }

    private SortedMap<String, String> committed() throws IOException {
        var files = new TreeMap<String, String>();
        if (Files.isDirectory(directory)) {
            try (var listing = Files.newDirectoryStream(directory, "*.yaml")) {
                for (Path file : listing) {
                    files.put(file.getFileName().toString(), Files.readString(file));
                }
            }
        }
        return files;
    }

    private void write(SortedMap<String, String> generated) throws IOException {
        Files.createDirectories(directory);
        for (String stale : committed().keySet()) {
            Files.delete(directory.resolve(stale));
        }
        for (var file : generated.entrySet()) {
            Files.writeString(directory.resolve(file.getKey()), file.getValue());
        }
    }
}
