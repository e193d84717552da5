package io.capoa.lint.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags in the command of a container. */
class ContainerTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /bin/ccm --leader-elect=false -v=2 | false
            /bin/ccm --leader-elect false | false
            /bin/ccm --leader-elect | true
            /bin/ccm --leader-elect --v=2 | true
            /bin/ccm --leader-elect \\ --v=2 | true
            /bin/ccm --leader-elect=true --leader-elect=false | false
            /bin/ccm --leader-elect-lease-duration=137s | none
            /bin/ccm --no-leader-elect=true | none
            exec "/bin/ccm" "--leader-elect=false" | false
            """)
    void aFlag_isFoundInItsForms(String command, String value) {
        Container container = new Container("containers[0]", Map.of("command", List.of("/bin/bash", "-c", command)));

        assertThat(container.flag("leader-elect").orElse("none")).isEqualTo(value);
    }
}
