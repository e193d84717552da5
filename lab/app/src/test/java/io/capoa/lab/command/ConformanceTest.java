package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.command.LabCommand.Ended;
import io.capoa.lab.conformance.ExampleDescription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The command as a process: its verdicts and exit codes. */
@Tag("full")
@Tag("whole")
@Order(LabCommand.EARLY)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(LabCommand.ONE_AT_A_TIME)
class ConformanceTest {

    @TempDir
    private Path folder;

    @Test
    void eachProviderGetsItsVerdict_andOneThatBreaksARuleDecidesTheExitCode() throws Exception {
        Path example = ExampleDescription.write(folder, List.of("no-address"), "region: lab-north");
        Path state = folder.resolve("state");

        Ended ended = LabCommand.conformance("--state", state.toString(), "lab-cloud", example.toString());

        assertThat(ended.text())
                .contains(
                        "lab-cloud: installing cluster external",
                        "lab-cloud: deleting a worker",
                        "Provider lab-cloud obeys the contract.",
                        "Provider example breaks the contract",
                        "status.addresses has no InternalIP",
                        "The log of its controller is " + state.resolve("logs/provider-2.log"));
        assertThat(ended.code()).isEqualTo(ExitCode.FAILED);
        assertThat(state.resolve("logs/provider-2.log")).isRegularFile();
        assertThat(LabCommand.processesThatMention(folder)).isEmpty();
    }

    @Test
    void aWrongDescription_isNamed_beforeAnythingStarts() throws Exception {
        Path wrong = Files.writeString(folder.resolve("wrong.yaml"), "name: [a]\n");

        assertThat(LabCommand.conformance(wrong.toString()))
                .isEqualTo(new Ended(
                        ExitCode.INVALID,
                        "Description of an infrastructure provider: field name of %s is not a text: give the provider a name for messages."
                                .formatted(wrong)));
    }

    @Test
    void aFileThatDoesNotExist_isNamed() throws Exception {
        assertThat(LabCommand.conformance("nowhere.yaml").text())
                .contains(
                        "there is no file",
                        "nowhere.yaml",
                        "metal3, lab-cloud, or a file that describes your provider");
    }

    @Test
    void aWrongFolder_isNamed() throws Exception {
        Ended ended = LabCommand.conformance("--crds", "/no/such");

        assertThat(ended.code()).isEqualTo(ExitCode.INVALID);
        assertThat(ended.text())
                .startsWith("--crds takes a folder; there is none at /no/such")
                .endsWith("lab/conformance --help lists the options.");
    }
}
