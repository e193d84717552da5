package io.capoa.api.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/older-versions.md} lists the mappings of the conversion; {@code -Dcapoa.golden=write} rewrites the lists. */
class MigrationTableTest {

    private static final Path FILE = Path.of("..", "docs", "older-versions.md");
    private static final String BEGIN = "<!-- generated from the conversion: -->\n";

    @Test
    void theGuideListsTheMappings() throws IOException {
        String text = Files.readString(FILE);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        assertThat(begin).as("%s has the line %s", FILE, BEGIN).isGreaterThanOrEqualTo(BEGIN.length());
        String generated = text.substring(0, begin) + lists();
        if ("write".equals(System.getProperty("capoa.golden"))) {
            Files.writeString(FILE, generated);
        }

        assertThat(Files.readString(FILE))
                .as("if the change is meant, run: mvn -pl api test -Dtest=MigrationTableTest -Dcapoa.golden=write")
                .isEqualTo(generated);
    }

    private static String lists() {
        var lists = new StringBuilder();
        Stream.of(ApiConversion.bootstrap(), ApiConversion.controlPlane())
                .map(ApiConversion::olderVersions)
                .flatMap(List::stream)
                .forEach(version -> {
                    lists.append("\n### %s %s\n\n| field | in v1beta1 | |\n| --- | --- | --- |\n"
                            .formatted(version.kind(), version.apiVersion().replaceFirst(".*/", "")));
                    version.mappings()
                            .forEach(mapping -> lists.append("| `%s` | %s | %s |\n"
                                    .formatted(
                                            mapping.older(),
                                            mapping.hub().isEmpty() ? "none" : "`" + mapping.hub() + "`",
                                            mapping.note())));
                });
        return lists.toString();
    }
}
