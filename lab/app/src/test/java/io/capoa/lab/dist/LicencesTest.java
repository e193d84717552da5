package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code config/licences} with SBOMs. */
class LicencesTest {

    private static final String LIBRARY = """
            {"group": "org.example", "name": "one", "version": "1.0", "licenses": [{"license": {"id": "MIT"}}]},
            {"group": "org.example", "name": "two", "version": "2.0",
              "licenses": [{"license": {"id": "BSD-2-Clause"}}, {"license": {"name": "Public domain"}}]},
            {"group": "io.capoa", "name": "capoa-api", "version": "0.2.0"}
            """;

    @TempDir
    private Path folder;

    @Test
    void everyLibraryIsListedOnce_withItsLicences() throws IOException {
        Output output = licences(LIBRARY, LIBRARY);

        assertThat(output.code()).as(output.all()).isZero();
        assertThat(output.text().lines().filter(line -> line.startsWith("| org") || line.contains("capoa-api")))
                .containsExactly(
                        "| org.example:one | 1.0 | MIT |", "| org.example:two | 2.0 | BSD-2-Clause, Public domain |");
    }

    @Test
    void aLibraryWithoutALicence_isRefused() throws IOException {
        Output output = licences(LIBRARY + ", {\"name\": \"three\", \"version\": \"3.0\"}");

        assertThat(output.code()).isOne();
        assertThat(output.messages()).isEqualTo("These libraries name no licence:\n  three 3.0\n");
        assertThat(output.text()).isEmpty();
    }

    private Output licences(String... components) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(ProjectRoot.find().resolve("config/licences").toString()));
        for (String each : components) {
            Path sbom = folder.resolve(command.size() + ".json");
            Files.writeString(sbom, "{\"components\": [" + each + "]}");
            command.add(sbom.toString());
        }
        return Output.of(command, Map.of(), Duration.ofSeconds(30));
    }
}
