package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Output;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The workflows of GitHub only call scripts, which say with {@code --dry-run} what they would do. */
class WorkflowsTest {

    private static final Path ROOT = ProjectRoot.find();
    private static final Path WORKFLOWS = ROOT.resolve(".github/workflows");
    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final Pattern USES = Pattern.compile("(?m)^ *(?:- )?uses: (.*)$");
    private static final Pattern PINNED = Pattern.compile("[\\w.-]+(/[\\w.-]+)+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+");
    private static final Pattern LOCAL = Pattern.compile("\\./\\.github/actions/[a-z-]+");
    private static final Pattern SCRIPT = Pattern.compile("(\\.ci/[a-z-]+)((?: [^\\n$;&|<>`]+| \"\\$[A-Z_]+\")*)");
    private static final Pattern MATRIX = Pattern.compile("\\$\\{\\{ matrix\\.([a-z]+) }}");

    /** What GitHub puts in place of expressions. */
    private static final Map<String, String> CONTEXT =
            Map.of("github.ref_name", "v0.2.0", "github.repository", "example/capoa", "github.actor", "someone");

    /** A step of a job with the values of a matrix. */
    private record Step(String name, String command, Map<String, String> environment) {

        @Override
        public String toString() {
            return name + ": " + command;
        }
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void aWorkflowReadsTheSources_andItsJobsMayDoMoreOnlyIfTheySaySo(Path file) {
        JsonNode workflow = parsed(file);

        assertThat(workflow.path("permissions").toString()).isEqualTo("{\"contents\":\"read\"}");
        assertThat(workflow.path("on").has("pull_request_target")).isFalse();
        assertThat(workflow.path("jobs"))
                .isNotEmpty()
                .allSatisfy(
                        job -> assertThat(job.path("timeout-minutes").asInt()).isPositive());
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void aCheckout_leavesNoCredentialsInTheFolder(Path file) {
        assertThat(steps(parsed(file)))
                .filteredOn(step -> step.path("uses").asText().startsWith("actions/checkout@"))
                .isNotEmpty()
                .allSatisfy(step -> assertThat(step.path("with").path("persist-credentials"))
                        .as("persist-credentials")
                        .hasToString("false"));
    }

    @Test
    void everyAction_isPinnedByItsCommit_withTheVersionBesideIt() {
        Stream.concat(workflows(), files(ROOT.resolve(".github/actions")))
                .forEach(file -> assertThat(USES.matcher(text(file)).results().map(found -> found.group(1)))
                        .as(file.toString())
                        .isNotEmpty()
                        .allMatch(action -> PINNED.matcher(action).matches()
                                || LOCAL.matcher(action).matches()));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyStep_isAScript_thatSaysWhatItWouldDo(Step step) {
        var call = SCRIPT.matcher(step.command());
        assertThat(call.matches())
                .as("one call of a script, with values in variables")
                .isTrue();

        Output output = Output.of(
                List.of("bash", "-c", "cd \"$0\" && %s --dry-run%s".formatted(call.group(1), call.group(2)), "" + ROOT),
                step.environment(),
                LIMIT);

        assertThat(output.code()).as(output.all()).isZero();
        assertThat(output.text()).contains("would ");
    }

    static Stream<Path> workflows() {
        return files(WORKFLOWS);
    }

    static Stream<Step> commands() {
        return workflows().flatMap(file -> {
            JsonNode workflow = parsed(file);
            List<Step> found = new ArrayList<>();
            workflow.path("jobs")
                    .forEach(job -> job.path("steps").forEach(step -> {
                        if (step.has("run")) {
                            Map<String, String> environment = new TreeMap<>();
                            Stream.of(workflow, job, step)
                                    .forEach(part -> environment.putAll(environment(part.path("env"))));
                            expanded(
                                            step.path("run").asText(),
                                            job.path("strategy").path("matrix"))
                                    .forEach(command ->
                                            found.add(new Step("" + file.getFileName(), command.strip(), environment)));
                        }
                    }));
            return found.stream();
        });
    }

    /** The command for each value of the matrix that it names. */
    private static Stream<String> expanded(String command, JsonNode matrix) {
        return MATRIX.matcher(command)
                .results()
                .findFirst()
                .map(found -> matrix.path(found.group(1))
                        .valueStream()
                        .flatMap(value -> expanded(command.replace(found.group(), value.asText()), matrix)))
                .orElse(Stream.of(command));
    }

    private static Map<String, String> environment(JsonNode variables) {
        Map<String, String> environment = new TreeMap<>();
        variables
                .properties()
                .forEach(variable -> environment.put(
                        variable.getKey(),
                        Pattern.compile("\\$\\{\\{ (.*?) }}")
                                .matcher(variable.getValue().asText())
                                .replaceAll((MatchResult found) -> CONTEXT.getOrDefault(found.group(1), ""))));
        return environment;
    }

    private static List<JsonNode> steps(JsonNode workflow) {
        return workflow.path("jobs")
                .valueStream()
                .flatMap(job -> job.path("steps").valueStream())
                .toList();
    }

    private static JsonNode parsed(Path file) {
        return YAML.unmarshal(text(file), JsonNode.class);
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".yml")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
