package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The lines that the managers log about the transitions of a cluster. */
final class TransitionLines {

    private static final Pattern LINE = Pattern.compile(
            "(\\w+) ([^/ ]+)/([^ ]+?)(?: of \\w+ [^ ]+)?: (\\w+) from (.+?) to (absent|\\w+ \\(\\w+\\)).*");

    private record Line(String object, String type, String from, String to) {}

    private TransitionLines() {}

    /** Asserts that each transition of the cluster's installation is one line; five Machines are Ready. */
    static void assertOneForEachTransition(WholeLab lab, String namespace) throws IOException {
        // A line follows its write.
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lines(lab, namespace))
                        .filteredOn(
                                line -> line.type().equals("Ready") && line.to().equals("True (Ready)"))
                        .hasSize(6));
        List<Line> lines = lines(lab, namespace);

        assertThat(lines).extracting(Line::type).contains("InstallSucceeding", "AgentRegistered", "Installed", "Ready");
        Map<String, String> states = new HashMap<>();
        for (Line line : lines) {
            // Of first conditions only those that are True are logged.
            String before = states.put(line.object() + " " + line.type(), line.to());
            if (before != null || line.from().startsWith(Condition.TRUE)) {
                assertThat(comparable(line, line.from()))
                        .as("a transition that is missing or repeated: %s", line)
                        .isEqualTo(comparable(line, before == null ? "absent" : before));
            }
        }
        for (OpenshiftAssistedConfig config : lab.admin()
                .resources(OpenshiftAssistedConfig.class)
                .inNamespace(namespace)
                .list()
                .getItems()) {
            String key = "OpenshiftAssistedConfig " + config.getMetadata().getName() + " ";
            for (Condition condition : config.getStatus().conditions()) {
                if (condition.status().equals(Condition.TRUE)) {
                    assertThat(states)
                            .containsEntry(
                                    key + condition.type(), condition.status() + " (" + condition.reason() + ")");
                }
            }
        }
    }

    /** Ready repeats the reasons of other conditions, which are logged for those. */
    private static String comparable(Line line, String state) {
        return line.type().equals("Ready") ? state.split(" ", 2)[0] : state;
    }

    private static List<Line> lines(WholeLab lab, String namespace) throws IOException {
        List<Line> lines = new ArrayList<>();
        ObjectMapper json = new ObjectMapper();
        for (Path log : lab.providerLogs()) {
            try (Stream<String> text = Files.lines(log)) {
                for (String line : text.filter(line -> line.startsWith("{") && line.contains("TransitionLog"))
                        .toList()) {
                    JsonNode entry = json.readTree(line);
                    assertThat(entry.path("level").asText()).isEqualTo("info");
                    Matcher matcher = LINE.matcher(entry.path("message").asText());
                    assertThat(matcher.matches()).as(line).isTrue();
                    if (matcher.group(2).equals(namespace)) {
                        lines.add(new Line(
                                matcher.group(1) + " " + matcher.group(3),
                                matcher.group(4),
                                matcher.group(5),
                                matcher.group(6)));
                    }
                }
            }
        }
        return lines;
    }
}
