package io.capoa.controlplane.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class UpToDateTest {

    private static final Pattern FIELD = Pattern.compile("`(\\w+)`");

    @Test
    void theFieldsThatReplaceNoMachine_areThoseOfTheDocument() throws IOException {
        String row = Files.readAllLines(Path.of("..", "docs", "repair.md")).stream()
                .filter(line -> line.contains("| replaces nothing: "))
                .findFirst()
                .orElseThrow();

        assertThat(OpenshiftAssistedConfigSpec.class.getRecordComponents())
                .extracting(RecordComponent::getName)
                .containsAll(UpToDate.DISCOVERY_ONLY);
        assertThat(UpToDate.DISCOVERY_ONLY)
                .as("docs/repair.md, Rollouts")
                .containsExactlyInAnyOrderElementsOf(FIELD.matcher(row)
                        .results()
                        .map(field -> field.group(1))
                        .toList());
    }
}
